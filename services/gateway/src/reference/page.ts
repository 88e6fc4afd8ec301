import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What is served to anyone and stays as it is until the next release. */
export interface Page {
  body: string | Buffer;
  headers: Record<string, string>;
}

/** So long a copy is used without asking again. */
const FRESH_SECONDS = 300;

/** Of what may be kept; `etag` is strong. */
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

/** The page, or 304 for who has it already. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, { body, headers }: Page): FastifyReply {
  reply.headers(headers);
  return isCurrent(request, headers) ? reply.code(304).send() : reply.send(body);
}

/** Whether the caller's copy is the one of these headers, by the weak comparison of RFC 9110, 13.1.2. */
export function isCurrent({ headers: asked }: FastifyRequest, { etag }: Record<string, string>): boolean {
  const given = asked['if-none-match'];
  return given !== undefined && (given.trim() === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === etag));
}
