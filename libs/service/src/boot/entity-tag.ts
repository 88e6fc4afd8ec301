import type { FastifyInstance } from 'fastify';

/** Adds `ETag: "<version>"` to every response that is one resource. */
export function useEntityTags(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', (_request, reply, payload, done) => {
    const { version } = (payload ?? {}) as { version?: unknown };
    if (Number.isInteger(version)) reply.header('etag', `"${version}"`);
    done(null, payload);
  });
}
