import type { Clock } from '@svc/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Limiter, Verdict } from '../limiter/port.ts';
import { type Costing, limitHeaders } from './costing.ts';
import { rateLimited, refuse } from './refuse.ts';

/** Charges requests to their limits and tells of it in the answer's headers. */
export interface Limits {
  /** Goes on within the limits; beyond them the request is answered with 429. Without a promise when the limiter needs none. */
  charge(request: FastifyRequest, reply: FastifyReply, requestId: string, scope: string, costing: Costing, go: () => void): void;
  /** The headers alone, for answers that are not made by a reply. */
  headersOf(scope: string, costing: Costing): Promise<Record<string, string>>;
}

export function createLimits(limiter: Limiter, clock: Pick<Clock, 'now'>, fail: FailedRequest): Limits {
  const settle = (
    request: FastifyRequest,
    reply: FastifyReply,
    requestId: string,
    costing: Costing,
    verdict: Verdict,
    go: () => void,
  ): void => {
    const now = clock.now();
    reply.headers(limitHeaders(costing, verdict, now));
    if (verdict.admitted) go();
    else refuse(request, reply, requestId, rateLimited(Math.max(1, Math.ceil((verdict.resetAt - now) / 1000))));
  };
  return {
    charge(request, reply, requestId, scope, costing, go) {
      const verdict = limiter.take(scope, costing.charge);
      if (!(verdict instanceof Promise)) return settle(request, reply, requestId, costing, verdict, go);
      verdict.then(
        (value) => settle(request, reply, requestId, costing, value, go),
        (error: unknown) => fail(request, reply, requestId, error),
      );
    },
    async headersOf(scope, costing) {
      return limitHeaders(costing, await limiter.take(scope, costing.charge), clock.now());
    },
  };
}

/** Answers a request that cannot go on because of an error of ours. */
export type FailedRequest = (request: FastifyRequest, reply: FastifyReply, requestId: string, error: unknown) => void;
