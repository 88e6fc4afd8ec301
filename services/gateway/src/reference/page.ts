import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What is served to anyone and stays as it is until the next release. */
export interface Page {
  body: string | Buffer;
  headers: Record<string, string>;
}

/** So long a copy is used without asking again. */
const FRESH_SECONDS = 300;

/** @param headers Content-Type at least */
export const pageOf = (body: string | Buffer, headers: Record<string, string>): Page => ({
  body,
  headers: {
    ...headers,
    'cache-control': `public, max-age=${FRESH_SECONDS}`,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    'x-content-type-options': 'nosniff',
  },
});

/** The page, or 304 for who has it already. */
export function sendPage({ headers: asked }: FastifyRequest, reply: FastifyReply, { body, headers }: Page): FastifyReply {
  reply.headers(headers);
  return matches(asked['if-none-match'], headers['etag']) ? reply.code(304).send() : reply.send(body);
}

/** By the weak comparison of RFC 9110, 13.1.2. */
const matches = (given: string | undefined, etag: string | undefined): boolean =>
  given !== undefined && (given.trim() === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === etag));
