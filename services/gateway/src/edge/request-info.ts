import { type RequestInfo, givenTraceparent } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { addressScope } from './address-scope.ts';
import { callerAddress, type Proxies } from './proxies.ts';
import { routeOf } from './route-of.ts';

/** Fields of the error log at the edge: from authentication on they include the account, also for requests that go no further. */
export const requestInfoAtEdge =
  (proxies: Proxies) =>
  (request: FastifyRequest): RequestInfo => {
    const { requestContext, identity } = request;
    const traceparent = identity?.traceparent ?? givenTraceparent(request.headers.traceparent);
    const route = routeOf(request);
    if (!requestContext) return { route, traceparent, scope: addressScope(callerAddress(proxies, request.raw)) };
    const { account, env } = requestContext.caller;
    return { route, traceparent, account, env, scope: account };
  };
