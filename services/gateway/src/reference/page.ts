import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A public page that does not change within a release. */
export interface Page {
  body: string | Buffer;
  headers: Record<string, string>;
}

/** Clients use a copy for this long without revalidation. */
const FRESH_SECONDS = 300;

/** Caching headers. `etag` is strong. */
export const keptHeaders = (etag: string): { etag: string } & Record<string, string> => ({
  'cache-control': `public, max-age=${FRESH_SECONDS}`,
  etag,
  'x-content-type-options': 'nosniff',
});

/** @param headers Content-Type at least */
export const pageOf = (body: string | Buffer, headers: Record<string, string>): Page => ({
  body,
  headers: { ...headers, ...keptHeaders(`"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`) },
});

/** Sends the page, or 304 when the client has it. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, { body, headers }: Page): FastifyReply {
  reply.headers(headers);
  return isCurrent(request, headers) ? reply.code(304).send() : reply.send(body);
}

/** Whether If-None-Match matches the ETag, by the weak comparison of RFC 9110, 13.1.2. */
export function isCurrent({ headers: asked }: FastifyRequest, { etag }: Record<string, string>): boolean {
  const given = asked['if-none-match'];
  return given !== undefined && (given.trim() === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === etag));
}
