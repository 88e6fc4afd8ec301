import type { FastifyInstance } from 'fastify';

/** `ETag: "<version>"` on every answer that is one resource. */
export function useEntityTags(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', (_request, reply, payload, done) => {
    const { version } = (payload ?? {}) as { version?: unknown };
    if (Number.isInteger(version)) reply.header('etag', `"${version}"`);
    done(null, payload);
  });
}
