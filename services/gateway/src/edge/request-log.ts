import { type Logger, type RequestInfo, givenTraceparent } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressScope, callerAddress, type Proxies } from './addresses.ts';

/**
 * Logs one line for each request at level debug, and for so many of a hundred, by the random end of their ids, at level info. It never holds a key, a query or a body. Durations are
 * in milliseconds until the last byte was handed to the system, sizes in bytes.
 */
export function createRequestLog(logger: Logger, percent: number): (request: FastifyRequest, reply: FastifyReply) => void {
  return (request, reply) => {
    const isSampled = percent > 0 && shareOf(String(reply.getHeader('x-request-id'))) * 100 < percent;
    if (isSampled) logger.info(lineOf(request, reply), 'request');
    else if (logger.isLevelEnabled('debug')) logger.debug(lineOf(request, reply), 'request');
  };
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
/** From 0 to 1: where the last four digits of an id lie among all. */
const shareOf = (id: string): number => [...id.slice(-4)].reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0) / 32 ** 4;

function lineOf(request: FastifyRequest, reply: FastifyReply): object {
  const { requestContext } = request;
  const asked = request.headers['x-request-id'];
  const length = reply.getHeader('content-length');
  return {
    request_id: reply.getHeader('x-request-id'),
    ...(typeof asked === 'string' && { client_request_id: asked.slice(0, 255) }),
    account: requestContext?.principal.account,
    env: requestContext?.principal.env,
    route: routeOf(request),
    method: request.method,
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    ...(length !== undefined && { response_bytes: Number(length) }),
    trace_id: request.identity?.traceparent?.slice(3, 35),
  };
}

/** The route of a request in metrics, logs and spans: `GET /invoices/{id}` of the route table, the pattern of a page, else `unknown`. */
export function routeOf({ requestContext, routeOptions, method }: FastifyRequest): string {
  if (requestContext?.route) return requestContext.route.name;
  const page = routeOptions?.url;
  return page === undefined || page.startsWith('/v1') ? 'unknown' : `${method} ${page}`;
}

/** Fields of the error log at the edge: from authentication on they include the account, also for requests that go no further. */
export const requestInfoAtEdge =
  (proxies: Proxies) =>
  (request: FastifyRequest): RequestInfo => {
    const { requestContext, identity } = request;
    const traceparent = identity?.traceparent ?? givenTraceparent(request.headers.traceparent);
    const route = routeOf(request);
    if (!requestContext) return { route, traceparent, scope: addressScope(callerAddress(proxies, request.raw)) };
    const { account, env } = requestContext.principal;
    return { route, traceparent, account, env, scope: account };
  };
