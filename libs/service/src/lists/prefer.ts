import type { FastifyRequest } from 'fastify';

const LONGEST_S = 25;
const WAIT = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i;
const NAMED_WAIT = /^\s*wait\s*(?:[=;]|$)/i;

/** Requests that may wait in a process for an outcome. A till with 100 receipts a minute has 42. */
export const MOST_WAITING = { perAccount: 100, inAll: 1_000 };

/** The seconds that the caller waits for the outcome (`Prefer: wait=N`, RFC 7240): at most 25; 0 without the header or if it is malformed. */
export function waitSeconds({ headers: { prefer } }: Pick<FastifyRequest, 'headers'>): number {
  if (prefer === undefined) return 0;
  const wanted = String(prefer)
    .split(',')
    .map((preference) => WAIT.exec(preference)?.[1])
    .find((seconds) => seconds !== undefined);
  return Math.min(Number(wanted ?? 0), LONGEST_S);
}

/** The header without its waits; undefined: it has no other preference. */
export function withoutWait(prefer: string): string | undefined {
  const others = prefer.split(',').filter((preference) => !NAMED_WAIT.test(preference));
  return others.length > 0 ? others.join(',').trim() : undefined;
}
