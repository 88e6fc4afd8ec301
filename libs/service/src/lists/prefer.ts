import type { FastifyReply, FastifyRequest } from 'fastify';

const LONGEST_S = 25;
const WAIT = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i;

/**
 * Seconds that the caller wants to wait for the outcome (`Prefer: wait=N`, RFC 7240): 0 when none or malformed, at most 25.
 * With `reply` the answer says what was applied.
 */
export function waitSeconds(request: FastifyRequest, reply?: FastifyReply): number {
  const header = request.headers.prefer;
  if (header === undefined) return 0;
  const wanted = String(header)
    .split(',')
    .map((preference) => WAIT.exec(preference)?.[1])
    .find((seconds) => seconds !== undefined);
  const seconds = Math.min(Number(wanted ?? 0), LONGEST_S);
  if (seconds > 0) reply?.header('preference-applied', `wait=${seconds}`);
  return seconds;
}
