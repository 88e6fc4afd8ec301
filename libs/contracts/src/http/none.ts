/** The query of a route without query parameters. */
export class NoQuery {}

/** The body of a POST without fields. */
export class EmptyBody {}
