import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { accountOfLink, LINKS } from '@svc/contracts/document/link';
import { routes } from '@svc/contracts/routes';
import { prefixed } from '@svc/kernel';
import { createQueryCheck, fastifyOf, toDomainError } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { pageScope } from './address-scope.ts';
import { useAmounts } from '../amounts/use-amounts.ts';
import { createAuthentication } from './authenticate.ts';
import { createIdempotent } from './idempotent.ts';
import { malformedHandlers } from './malformed.ts';
import { createMetrics } from './metrics.ts';
import type { EdgeOptions } from './options.ts';
import { keyResolver } from '../principals/api-key/resolve-key.ts';
import { callerAddress, trustedProxies } from './proxies.ts';
import { createRateLimits, type FailedRequest, itemsCost, mostItems, pageCost } from './rate-limits.ts';
import { requestInfoAtEdge, createRequestLog } from './request-log.ts';
import { pathMeant } from './path-meant.ts';
import { createRouteTable, interfacePath, decodedPath, type RouteTable } from './route-table.ts';
import { closedLink, neverAdmitted, sendError, storageUsedUp, unknownPath } from './send-error.ts';

/**
 * Adds the edge to an app that is not initialized yet: every request under /v1 passes the order of checks, its rate limits
 * and headers. Handlers then read `request.identity`. Other paths are public and limited by address.
 */
export function useEdge(app: NestFastifyApplication, options: EdgeOptions): void {
  const { limiter, storage, clock, ids, idempotency, logger } = options;
  const fastify = fastifyOf(app);
  const fail: FailedRequest = (request, reply, requestId, error) => {
    request.failure = error;
    sendError(request, reply, requestId, toDomainError(error));
  };
  const limits = createRateLimits(limiter, clock, fail);
  const proxies = trustedProxies(options.trustedProxies);
  let table: RouteTable | undefined;
  const entryAt: RouteTable = (path) => (table ??= createRouteTable(routes, options.served()))(path);
  const authentication = createAuthentication({
    ...options,
    resolver: keyResolver(options.keys, options.hosts),
    entryAt,
    limits,
    proxies,
    fail,
  });
  const idempotent = createIdempotent(idempotency, storage, logger);
  const checkQuery = createQueryCheck();
  const [measure, log] = [createMetrics(), createRequestLog(logger)];

  fastify.decorateRequest('requestContext', null);
  Object.assign(fastify.malformed, malformedHandlers({ authentication, limits, ids, proxies, log: fastify.errorLog.log }));
  fastify.errorLog.of = requestInfoAtEdge(proxies);

  fastify.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request);
    if (path !== undefined) return authentication.authorize(request, reply, path, done);
    const requestId = prefixed('req', ids.next());
    reply.header('x-request-id', requestId);
    limits.charge(request, reply, requestId, pageScope(callerAddress(proxies, request.raw)), pageCost, () => {
      const meant = request.is404 ? pathMeant(decodedPath(request.raw.url ?? ''), entryAt) : undefined;
      if (meant !== undefined) return sendError(request, reply, requestId, unknownPath(meant));
      refuseSuspended(request, done, (error) => fail(request, reply, requestId, error));
    });
  });

  /** The links of a suspended account do not open: as those that have expired, they say nothing about what there is. */
  function refuseSuspended({ routeOptions, params }: FastifyRequest, go: () => void, refuse: (error: unknown) => void): void {
    const account = routeOptions.url?.startsWith(LINKS) ? accountOfLink((params as { token: string }).token) : undefined;
    const suspended = account === undefined ? false : options.suspensions.isSuspended(account);
    if (suspended === false) return go();
    Promise.resolve(suspended).then((is) => (is ? refuse(closedLink()) : go()), refuse);
  }

  fastify.addHook('preValidation', (request, reply, done) => {
    const { requestContext } = request;
    if (requestContext?.route === undefined) return done();
    const { route, principal, requestId } = requestContext;
    const error = checkQuery(request, route.name);
    if (error !== undefined) return sendError(request, reply, requestId, error);
    // Before the body's fields are checked, which in the gateway are checked by the service behind it. A replay stores nothing.
    idempotent.begin(request, reply, requestContext, () => {
      const { stores } = route.route;
      if (stores === undefined || storage.hasCapacity(principal, stores)) return done();
      idempotent.giveUp(requestContext, () => sendError(request, reply, requestId, storageUsedUp(principal.limits.storage)));
    });
  });

  fastify.addHook('preHandler', (request, reply, done) => {
    const { requestContext } = request;
    const field = requestContext?.route?.route.items;
    if (!requestContext || field === undefined) return done();
    const { principal, route, requestId } = requestContext;
    const [items, endpoints] = [itemsIn(request.body, field), route?.route.cost ?? []];
    const most = mostItems(principal.limits, endpoints);
    if (items > most) return sendError(request, reply, requestId, neverAdmitted(field, items, most));
    const cost = itemsCost(principal.limits, endpoints, items);
    if (cost === undefined) return done();
    limits.chargeItems(request, reply, requestId, principal.scope, cost, done);
  });

  useAmounts(fastify);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { requestContext } = request;
    if (requestContext?.claim === undefined) return done(null, payload);
    idempotent.end(reply, requestContext, payload, () => done(null, payload));
  });

  fastify.addHook('onResponse', (request, reply, done) => {
    if (reply.hasHeader('x-ratelimit-limit')) {
      measure(request, reply);
      log(request, reply);
    }
    done();
  });
}

/** The path under /v1, or '' when only the router recognizes the URL as one under /v1. */
const pathOf = (request: FastifyRequest): string | undefined =>
  interfacePath(request.raw.url ?? '') ?? (request.routeOptions.url?.startsWith('/v1') ? '' : undefined);

const itemsIn = (body: unknown, field: string): number => {
  const items = ((body ?? {}) as Record<string, unknown>)[field];
  return Array.isArray(items) ? items.length : 0;
};
