import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { accountOfLink, LINKS } from '@svc/contracts/document/link';
import type { RouteName } from '@svc/contracts/routes';
import { prefixed } from '@svc/kernel';
import { createQueryCheck, fastifyOf, Histogram, permissionError, register, toDomainError } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { useRequestRecord } from '../requests/use-request-record.ts';
import { withheldQuery } from '../personal-data/withheld.ts';
import type { Inside } from '../principals/inside/ask-inside.ts';
import { lacksStepUp } from '../principals/session/step-up.ts';
import { isStepped } from '../sessions/session.ts';
import { assetScope, pageScope, callerAddress, trustedProxies } from './addresses.ts';
import { identityOf } from './authenticate.ts';
import { createEntrances } from './entrances.ts';
import { createIdempotent } from './idempotent.ts';
import { malformedHandlers } from './malformed.ts';
import type { EdgeOptions } from './options.ts';
import type { RequestContext } from './request-context.ts';
import { assetCost, createRateLimits, type FailedRequest, itemsCosts, mostItems, pageCost } from './rate-limits.ts';
import { rewriteAnswers } from './rewrite-answers.ts';
import { createRequestLog, requestInfoAtEdge, routeOf } from './request-log.ts';
import { pathMeant } from './path-meant.ts';
import { decodedPath, interfacePath } from '../routing/route-table.ts';
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
  const entrances = createEntrances(options, { limits, proxies, fail });
  const { entryAt } = entrances;
  const idempotent = createIdempotent({ store: idempotency, storage, clock, logger });
  const checkQuery = createQueryCheck();
  const [measure, log] = [createMetrics(), createRequestLog(logger, options.accessLogPercent)];

  fastify.decorateRequest('requestContext', null);
  Object.assign(fastify.malformed, malformedHandlers({ authentication: entrances.keys, limits, ids, proxies, log: fastify.errorLog.log }));
  fastify.errorLog.of = requestInfoAtEdge(proxies);

  fastify.addHook('onRequest', (request, reply, done) => {
    const inside = options.insiders.take(request);
    if (inside) return enterInside(request, reply, inside, done);
    const entrance = entrances.of(request);
    if (entrance && 'open' in entrance) return entrances.enterOpen(request, reply, done);
    if (entrance) return entrance.authentication.authorize(request, reply, entrance.path, done);
    const requestId = prefixed('req', ids.next());
    reply.header('x-request-id', requestId);
    const [scope, cost] = request.routeOptions.url === '/assets/*' ? [assetScope, assetCost] : [pageScope, pageCost];
    limits.charge(request, reply, requestId, scope(callerAddress(proxies, request.raw)), cost, () => {
      const meant = request.is404 ? pathMeant(decodedPath(request.raw.url ?? ''), entryAt) : undefined;
      if (meant !== undefined) return sendError(request, reply, requestId, unknownPath(meant));
      refuseSuspended(request, done, (error) => fail(request, reply, requestId, error));
    });
  });

  /** A request that the process makes of itself: judged by its permission, and counted already. A signed link is judged by who opens it. */
  function enterInside(request: FastifyRequest, reply: FastifyReply, { principal, requestId, command }: Inside, go: () => void): void {
    reply.header('x-request-id', requestId);
    const path = interfacePath(request.raw.url ?? '');
    if (path === undefined) return go();
    const route = entryAt(path)?.methods.get(request.method);
    const uid = command ?? ids.next();
    request.requestContext = { requestId, uid, path, principal, route, claim: undefined, inside: true };
    if (route === undefined) return sendError(request, reply, requestId, unknownPath(undefined));
    const forbidden = permissionError(route.name as RouteName, principal.permissions);
    if (forbidden) return sendError(request, reply, requestId, forbidden);
    request.identity = identityOf(principal, request.requestContext, undefined);
    go();
  }

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
    const error = checkQuery(request, route.route) ?? (principal.personalData ? undefined : withheldQuery(route.name, queryIn(request)));
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
    if (!requestContext?.route) return done();
    const { session } = requestContext.principal;
    const unproven = session ? lacksStepUp(requestContext, request.body, options.sessionTerms, clock.now()) : undefined;
    if (!unproven) return chargeItems(request, reply, requestContext, done);
    const { requestId } = requestContext;
    const refuse = (answer: () => void): void => idempotent.giveUp(requestContext, answer);
    // It may have been given at another replica since.
    options.sessions.lookAgain(options.cookies.session(request) ?? '').then(
      (view) => {
        const isProven = view !== null && isStepped(view.session, options.sessionTerms, clock.now());
        if (isProven) chargeItems(request, reply, requestContext, done);
        else refuse(() => sendError(request, reply, requestId, unproven));
      },
      (error: unknown) => refuse(() => fail(request, reply, requestId, error)),
    );
  });

  /** The items of a batch, which are known once its body is read. */
  function chargeItems(request: FastifyRequest, reply: FastifyReply, requestContext: RequestContext, done: () => void): void {
    const field = requestContext.route?.route.items;
    if (field === undefined) return done();
    const { principal, route, requestId } = requestContext;
    const [items, endpoints] = [itemsIn(request.body, field), route?.route.cost ?? []];
    const most = mostItems(principal, endpoints);
    if (items > most) return sendError(request, reply, requestId, neverAdmitted(field, items, most));
    const costs = itemsCosts(principal, endpoints, items);
    if (costs.length === 0) return done();
    limits.chargeItems(request, reply, requestId, costs, done);
  }

  useRequestRecord(fastify, options.recorder, ({ raw }) => callerAddress(proxies, raw));
  rewriteAnswers(fastify, options.namesOf);
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

const queryIn = ({ query }: FastifyRequest): Record<string, unknown> => (query ?? {}) as Record<string, unknown>;

const itemsIn = (body: unknown, field: string): number => {
  const items = ((body ?? {}) as Record<string, unknown>)[field];
  return Array.isArray(items) ? items.length : 0;
};

const NAME = 'svc_http_request_seconds';
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Labels = 'route' | 'status';
type Observe = (seconds: number) => void;

/** Counts and times requests by route and status, after each response. */
function createMetrics(): (request: FastifyRequest, reply: FastifyReply) => void {
  const known = register.getSingleMetric(NAME) as Histogram<Labels> | undefined;
  const seconds =
    known ?? new Histogram({ name: NAME, help: 'Requests by route and status.', labelNames: ['route', 'status'], buckets: BUCKETS });
  const children = new Map<string, Map<number, Observe>>(); // routes and statuses are few
  const childOf = (route: string, status: number): Observe => {
    let ofRoute = children.get(route);
    if (ofRoute === undefined) children.set(route, (ofRoute = new Map()));
    let observe = ofRoute.get(status);
    if (observe === undefined) {
      const child = seconds.labels({ route, status: String(status) });
      ofRoute.set(status, (observe = (value) => child.observe(value)));
    }
    return observe;
  };
  return (request, reply) => childOf(routeOf(request), reply.statusCode)(reply.elapsedTime / 1000);
}
