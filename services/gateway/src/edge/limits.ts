import type { Clock } from '@svc/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Limiter, LimitResult } from '../limiter/port.ts';
import { type RateLimitCost, limitHeaders } from './rate-limit-cost.ts';
import { rateLimited, sendError } from './send-error.ts';

/** Charges requests to their rate limits and sets the response's headers. */
export interface Limits {
  /** Calls `go` within the limits, else answers 429. Synchronous when the limiter is. */
  charge(request: FastifyRequest, reply: FastifyReply, requestId: string, scope: string, cost: RateLimitCost, go: () => void): void;
  /** Charges, and returns the headers for responses that are written without a reply. */
  headersOf(scope: string, cost: RateLimitCost): Promise<Record<string, string>>;
}

export function createLimits(limiter: Limiter, clock: Pick<Clock, 'now'>, fail: FailedRequest): Limits {
  const settle = (
    request: FastifyRequest,
    reply: FastifyReply,
    requestId: string,
    cost: RateLimitCost,
    result: LimitResult,
    go: () => void,
  ): void => {
    const now = clock.now();
    reply.headers(limitHeaders(cost, result, now));
    if (result.admitted) go();
    else sendError(request, reply, requestId, rateLimited(Math.max(1, Math.ceil((result.resetAt - now) / 1000))));
  };
  return {
    charge(request, reply, requestId, scope, cost, go) {
      const result = limiter.take(scope, cost.charge);
      if (!(result instanceof Promise)) return settle(request, reply, requestId, cost, result, go);
      result.then(
        (value) => settle(request, reply, requestId, cost, value, go),
        (error: unknown) => fail(request, reply, requestId, error),
      );
    },
    async headersOf(scope, cost) {
      return limitHeaders(cost, await limiter.take(scope, cost.charge), clock.now());
    },
  };
}

/** Answers a request that an internal error stops. */
export type FailedRequest = (request: FastifyRequest, reply: FastifyReply, requestId: string, error: unknown) => void;
