import type { IncomingHttpHeaders } from 'node:http';

/** The key in `Authorization: Bearer` (in any case) or `X-API-Key`, or the same key in both. undefined: none, or two different ones. */
export function credentialOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'x-api-key': plain } = headers;
  if (authorization === undefined) return typeof plain === 'string' ? plain : undefined;
  if (!authorization.startsWith('Bearer ') && authorization.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  const bearer = authorization.slice(7).trim();
  return plain === undefined || plain === bearer ? bearer : undefined;
}
