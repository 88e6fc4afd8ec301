import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Sends `100 Continue` when a body begins to be read, not before: a request that is rejected by its head is answered without its body having been sent
 * (RFC 9110, 10.1.1).
 */
export function useExpectContinue({ server }: FastifyInstance): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    server.emit('request', request, response);
  });
}
