import { type DomainError, prefixed } from '@svc/kernel';
import { beginServerSpan } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../principals/principal.ts';
import type { Resolver } from '../principals/resolver.ts';
import { addressScope, callerAddress, cameByHttp, type Proxies } from './addresses.ts';
import { guardHeaders, httpsRequired, sendError, suspended, unknownMethod, unknownPath } from './send-error.ts';
import type { EdgeOptions } from './options.ts';
import type { RequestContext } from './request-context.ts';
import { addressCounted, addressUncounted, type FailedRequest, type RateLimits, routeCosts } from './rate-limits.ts';
import { NEAR } from '../storage/metrics.ts';
import type { PathEntry, RouteEntry, RouteTable } from '../routing/route-table.ts';
import { pathMeant } from './path-meant.ts';

/** Steps 1 to 5 of the order of checks: https, credential, limits, path and method, permission. A request that fails one is answered here. */
export interface Authentication {
  /** Steps 1 to 3, for a request without a known route. Calls `go` for a valid credential within its limits. */
  authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    go: (requestContext: RequestContext, pathEntry: PathEntry | undefined) => void,
  ): void;
  /** Steps 1 to 5. Sets `request.identity`, then calls `go`. */
  authorize(request: FastifyRequest, reply: FastifyReply, path: string, go: () => void): void;
}

type Parts = Pick<EdgeOptions, 'storage' | 'counts' | 'ids' | 'requireHttps'> & {
  resolver: Resolver;
  entryAt: RouteTable;
  /** Before the paths of its routes: `/v1`. */
  base: string;
  /** Whether members of a suspended account may, too. */
  opensSuspended(route: RouteEntry): boolean;
  limits: RateLimits;
  proxies: Proxies;
  fail: FailedRequest;
};

/** What a cached principal may have been given since, at another replica. */
const GIVEN_SINCE: ReadonlySet<string> = new Set(['session_incomplete', 'step_up_required']);

export function createAuthentication(parts: Parts): Authentication {
  const { resolver, storage, counts, limits, ids, requireHttps, proxies, entryAt, base, opensSuspended, fail } = parts;
  const scopeOf = (request: FastifyRequest): string => addressScope(callerAddress(proxies, request.raw));

  const authenticate: Authentication['authenticate'] = (request, reply, path, go) => {
    const uid = ids.next();
    const requestId = prefixed('req', uid);
    reply.header('x-request-id', requestId).headers(guardHeaders);
    if (requireHttps && cameByHttp(proxies, request.raw)) {
      return limits.charge(request, reply, requestId, scopeOf(request), addressUncounted, () =>
        sendError(request, reply, requestId, httpsRequired()),
      );
    }

    const withPrincipal = (principal: Principal | null): void => {
      if (principal === null)
        return limits.charge(request, reply, requestId, scopeOf(request), addressCounted, () => {
          const { error, challenge } = resolver.refusal(request);
          if (challenge) reply.header('www-authenticate', challenge);
          sendError(request, reply, requestId, error);
        });
      const pathEntry = entryAt(path);
      const route = pathEntry?.methods.get(request.method);
      const requestContext: RequestContext = { requestId, uid, path, principal, route, claim: undefined };
      request.requestContext = requestContext;
      counts.note(principal.scope);
      const used = storage.used(principal);
      if (used >= NEAR) reply.header('x-storage-used', (Math.floor(Math.min(1, used) * 100) / 100).toFixed(2));
      limits.chargeAll(request, reply, requestId, routeCosts(principal, route), () => {
        const refused = resolver.refuses?.(request);
        if (refused) sendError(request, reply, requestId, refused);
        else go(requestContext, pathEntry);
      });
    };

    const found = resolver.resolve(request);
    if (!(found instanceof Promise)) return withPrincipal(found);
    found
      .then(withPrincipal)
      .catch((error: unknown) =>
        limits.charge(request, reply, requestId, scopeOf(request), addressUncounted, () => fail(request, reply, requestId, error)),
      );
  };

  const judged = (request: FastifyRequest, principal: Principal, route: RouteEntry): DomainError | undefined => {
    if (principal.suspended && !opensSuspended(route)) return suspended();
    return resolver.forbids(request, principal, route);
  };

  return {
    authenticate,
    authorize: (request, reply, path, go) =>
      authenticate(request, reply, path, (requestContext, pathEntry) => {
        const { route, requestId } = requestContext;
        const deny = (error: Parameters<typeof sendError>[3]): void => sendError(request, reply, requestId, error);
        if (pathEntry === undefined) return deny(unknownPath(pathMeant(path, entryAt)));
        if (route === undefined) {
          reply.header('allow', pathEntry.allow);
          return deny(unknownMethod(request.method, pathEntry.allow, path));
        }
        const enter = (principal: Principal): void => {
          const span = beginServerSpan(request, reply, {
            service: 'gateway',
            route: `${base}${route.route.path}`,
            attributes: { 'svc.request_id': requestId, 'svc.account': principal.account },
          });
          request.identity = identityOf(principal, requestContext, span);
          go();
        };
        const forbidden = judged(request, requestContext.principal, route);
        if (!forbidden) return enter(requestContext.principal);
        if (!resolver.lookAgain || !GIVEN_SINCE.has(forbidden.code)) return deny(forbidden);
        resolver.lookAgain(request).then(
          (principal) => {
            if (principal === null) return deny(resolver.refusal(request).error);
            requestContext.principal = principal;
            const error = judged(request, principal, route);
            if (error) deny(error);
            else enter(principal);
          },
          (error: unknown) => fail(request, reply, requestId, error),
        );
      }),
  };
}

export function identityOf(
  { account, env, permissions, personalData, actor }: Principal,
  { requestId, uid }: RequestContext,
  traceparent: string | undefined,
): FastifyRequest['identity'] {
  const identity = { account, env, livemode: env === 'live', permissions, actor, requestId, commandId: uid };
  const seen = personalData ? identity : { ...identity, personalData: false as const };
  return traceparent === undefined ? seen : { ...seen, traceparent };
}
