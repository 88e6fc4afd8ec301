import type { FastifyReply, FastifyRequest } from 'fastify';

const LONGEST_S = 25;
const WAIT = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i;

/**
 * The seconds that the caller waits for the outcome (`Prefer: wait=N`, RFC 7240): at most 25; 0 without the header or if it is malformed. Sets
 * `Preference-Applied` on `reply`.
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
