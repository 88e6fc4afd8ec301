export interface Denial {
  /** `EventStoreDB`, `MongoDB`, `Kafka` */
  server: string;
  /** The user name that this process sends; '' if it sends none, absent where it is not known. Never a password. */
  user?: string;
  /** The right that the user lacks (`read $all`); null: the server does not accept the user or its password. */
  right: string | null;
  /** The server's own error code. */
  code: number | string;
}

/**
 * A server refuses this process's user. Nothing was done. An operator has to grant the right; until then requests that need it are answered
 * with 503 and may be repeated. The message is for operators.
 */
export class Denied extends Error {
  override readonly name = 'Denied';
  readonly statusCode = 503;

  constructor(
    readonly denial: Denial,
    options?: ErrorOptions,
  ) {
    super(textOf(denial), options);
  }
}

function textOf({ server, user, right, code }: Denial): string {
  const who = user === undefined ? 'the user of this process' : user === '' ? 'a client that names no user' : `the user ${user}`;
  if (right === null) return `${server} does not accept ${who}, or its password (${code}).`;
  return `${server} does not let ${who} ${right} (${code}). Grant it this right.`;
}
