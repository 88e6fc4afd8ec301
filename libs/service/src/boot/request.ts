import type { FastifyInstance } from 'fastify';
import { parseIfMatch, type IfMatch } from '../lists/preconditions.ts';
import type { Identity } from '../identity/identity.ts';
import type { IncomingMessage } from 'node:http';

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

/** The characters of a URI's authority (RFC 3986): a name or an address, and a port. */
const AUTHORITY = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/**
 * Passes requests to `fastify.malformed` that Node would answer with an empty body, or would accept: an `Expect` other than 100-continue, and a
 * `Host` that is missing, repeated or invalid (RFC 9112, 3.2). Call it before all other hooks.
 */
export function useWellFormedRequests(fastify: FastifyInstance): void {
  fastify.server.on('checkExpectation', (request, response) => fastify.malformed.request(request, response));
  fastify.addHook('onRequest', (request, reply, done) => {
    if (hasOneHost(request.raw)) return done();
    reply.hijack();
    fastify.malformed.request(request.raw, reply.raw);
  });
}

/** Whether there is exactly one valid Host header. Node keeps the first of several and ignores the others. */
function hasOneHost({ rawHeaders, headers, httpVersionMinor }: IncomingMessage): boolean {
  const { host } = headers;
  if (host === undefined) return httpVersionMinor === 0;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 && AUTHORITY.test(host);
}
