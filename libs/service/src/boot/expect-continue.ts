import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Sends `100 Continue` when the body is about to be read, not before: a request that is rejected by its head is answered without its body having
 * been sent (RFC 9110, 10.1.1). Call it after the hooks that judge a body by its headers.
 */
export function useExpectContinue(fastify: FastifyInstance): void {
  const waiting = new WeakSet<ServerResponse>();
  fastify.server.on('checkContinue', (request, response) => {
    waiting.add(response);
    fastify.server.emit('request', request, response);
  });
  fastify.addHook('preParsing', ({ headers, routeOptions }, { raw }, payload, done) => {
    const isTooLarge = Number(headers['content-length'] ?? 0) > routeOptions.bodyLimit;
    if (!isTooLarge && waiting.has(raw)) raw.writeContinue();
    done(null, payload);
  });
}
