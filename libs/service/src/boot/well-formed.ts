import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Of a URI's authority (RFC 3986): a name or an address, and a port. */
const AUTHORITY = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/**
 * Hands what Node would answer with an empty body, or would let pass, to `fastify.malformed`: an `Expect` other than 100-continue, which
 * Node knows itself, and a `Host` that is missing, double or none (RFC 9112, 3.2). Goes before all other hooks.
 */
export function useWellFormedRequests(fastify: FastifyInstance): void {
  fastify.server.on('checkExpectation', (request, response) => fastify.malformed.request(request, response));
  fastify.addHook('onRequest', (request, reply, done) => {
    if (hasOneHost(request.raw)) return done();
    reply.hijack();
    fastify.malformed.request(request.raw, reply.raw);
  });
}

/** Node keeps the first of several and says nothing of the others. */
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
