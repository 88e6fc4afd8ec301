import type { ServerResponse } from 'node:http';
import { unheldClock } from '@svc/kernel';
import type { FastifyInstance } from 'fastify';

/**
 * Of a caller that takes informational responses for signs of life, and of answers to it: this process has them. Release 0.1.0 of the gateway and of the
 * services does not send it (until 0.3).
 */
export const SIGNS_HEADER = 'x-svc-signs';

const EVERY_MS = 1_000;

/**
 * Says once a second `102 Processing` to each request with that header whose response has not begun. It comes on the request's own connection, so that its caller knows whether the
 * process that has the request is alive, whatever else there is at this address.
 */
export function useSigns(fastify: FastifyInstance): void {
  const waiting = new Set<ServerResponse>();
  let isArmed = false;

  const arm = (): void => {
    isArmed = true;
    unheldClock.after(EVERY_MS, () => {
      isArmed = false;
      for (const response of waiting) if (!response.headersSent) response.writeProcessing();
      if (waiting.size > 0) arm();
    });
  };
  function forget(this: ServerResponse): void {
    waiting.delete(this);
  }

  fastify.addHook('onRequest', ({ headers }, reply, done) => {
    if (headers[SIGNS_HEADER] !== undefined) {
      const { raw } = reply.header(SIGNS_HEADER, '1');
      waiting.add(raw);
      raw.once('close', forget);
      if (!isArmed) arm();
    }
    done();
  });
}
