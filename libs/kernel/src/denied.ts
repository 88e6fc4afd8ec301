export interface Denial {
  /** `EventStoreDB`, `MongoDB`, `Kafka` */
  server: string;
  /** Whom this process says it is; '' where it names nobody. Never a password. */
  user: string;
  /** What the user may not do (`read $all`); null: the server does not accept the user or its password. */
  right: string | null;
  /** By which the server said so. */
  code: number | string;
}

/**
 * A server refuses this process's user: an outage until an operator mends it, not a defect. Nothing was done. The message is for
 * operators; callers are told that what they need is not available (503), and may repeat the request.
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
  const who = user === '' ? 'a client that names no user' : `the user ${user}`;
  if (right === null) return `${server} does not accept ${who}, or its password (${code}).`;
  return `${server} does not let ${who} ${right} (${code}). Grant it this right.`;
}
