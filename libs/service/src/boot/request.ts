import type { FastifyInstance } from 'fastify';
import { parseIfMatch, type IfMatch } from '../lists/preconditions.ts';
import type { Identity } from '../identity/identity.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's bytes as they came; undefined when the request has none. */
    rawBody?: Buffer;
    /** The If-Match header; undefined when there is none. */
    ifMatch?: IfMatch;
  }
}

/** Fields that every request has from its beginning, and those that are known once its body was read. */
export function useRequestFields(fastify: FastifyInstance): void {
  fastify.decorateRequest('identity', null as unknown as Identity);
  fastify.decorateRequest('rawBody', undefined);
  fastify.decorateRequest('ifMatch', undefined);
  fastify.addHook('preValidation', (request, _reply, done) => {
    // A POST without a body is one with no fields, so that the schema can name what is missing.
    if (request.body === undefined && request.method !== 'GET' && request.method !== 'HEAD') request.body = {};
    const ifMatch = request.headers['if-match'];
    if (ifMatch === undefined) return done();
    try {
      request.ifMatch = parseIfMatch(ifMatch);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}
