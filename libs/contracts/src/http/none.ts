/** Query of a route that takes none. */
export class NoQuery {}

/** The body of a POST that needs none. */
export class EmptyBody {}
