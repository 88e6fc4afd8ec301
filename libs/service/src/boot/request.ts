import type { FastifyInstance } from 'fastify';
import { parseIfMatch, type IfMatch } from '../lists/preconditions.ts';
import type { Identity } from '../identity/identity.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The raw bytes of the body; undefined if the request has none. */
    rawBody?: Buffer;
    /** The parsed If-Match header; undefined if there is none. */
    ifMatch?: IfMatch;
  }
}

/** Sets the fields of every request at its start, and those that are known after its body is read. */
export function useRequestFields(fastify: FastifyInstance): void {
  fastify.decorateRequest('identity', null as unknown as Identity);
  fastify.decorateRequest('rawBody', undefined);
  fastify.decorateRequest('ifMatch', undefined);
  fastify.addHook('preValidation', (request, _reply, done) => {
    // A POST without a body gets one without fields, so that validation reports the missing fields.
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
