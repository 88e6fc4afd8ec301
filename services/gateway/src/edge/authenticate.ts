import { prefixed } from '@svc/kernel';
import { beginServerSpan, permissionError } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../principals/principal.ts';
import type { Resolver } from '../principals/resolver.ts';
import { addressScope } from './address-scope.ts';
import { guardHeaders, httpsRequired, sendError, suspended, unknownMethod, unknownPath } from './send-error.ts';
import type { EdgeOptions } from './options.ts';
import type { RequestContext } from './request-context.ts';
import { callerAddress, cameByHttp, type Proxies } from './proxies.ts';
import { addressCounted, addressUncounted, type FailedRequest, type RateLimits, routeCost } from './rate-limits.ts';
import { NEAR } from '../storage/metrics.ts';
import type { PathEntry, RouteTable } from './route-table.ts';
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

type Parts = Pick<EdgeOptions, 'storage' | 'ids' | 'requireHttps'> & {
  resolver: Resolver;
  entryAt: RouteTable;
  limits: RateLimits;
  proxies: Proxies;
  fail: FailedRequest;
};

export function createAuthentication({ resolver, storage, limits, ids, requireHttps, proxies, entryAt, fail }: Parts): Authentication {
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
          reply.header('www-authenticate', challenge);
          sendError(request, reply, requestId, error);
        });
      const pathEntry = entryAt(path);
      const route = pathEntry?.methods.get(request.method);
      const requestContext: RequestContext = { requestId, uid, path, principal, route, claim: undefined };
      request.requestContext = requestContext;
      const used = storage.used(principal);
      if (used >= NEAR) reply.header('x-storage-used', (Math.floor(Math.min(1, used) * 100) / 100).toFixed(2));
      limits.charge(request, reply, requestId, principal.scope, routeCost(principal, route), () => go(requestContext, pathEntry));
    };

    const found = resolver.resolve(request);
    if (!(found instanceof Promise)) return withPrincipal(found);
    found
      .then(withPrincipal)
      .catch((error: unknown) =>
        limits.charge(request, reply, requestId, scopeOf(request), addressUncounted, () => fail(request, reply, requestId, error)),
      );
  };

  return {
    authenticate,
    authorize: (request, reply, path, go) =>
      authenticate(request, reply, path, (requestContext, pathEntry) => {
        const { principal, route, requestId } = requestContext;
        const deny = (error: Parameters<typeof sendError>[3]): void => sendError(request, reply, requestId, error);
        if (pathEntry === undefined) return deny(unknownPath(pathMeant(path, entryAt)));
        if (route === undefined) {
          reply.header('allow', pathEntry.allow);
          return deny(unknownMethod(request.method, pathEntry.allow, path));
        }
        if (principal.suspended) return deny(suspended());
        const forbidden = permissionError(route.name, principal.permissions);
        if (forbidden) return deny(forbidden);
        const span = beginServerSpan(request, reply, {
          service: 'gateway',
          route: `/v1${route.route.path}`,
          attributes: { 'svc.request_id': requestId, 'svc.account': principal.account },
        });
        request.identity = identityOf(principal, requestContext, span);
        go();
      }),
  };
}

function identityOf(
  { account, env, permissions, actor }: Principal,
  { requestId, uid }: RequestContext,
  traceparent: string | undefined,
): FastifyRequest['identity'] {
  const identity = { account, env, livemode: env === 'live', permissions, actor, requestId, commandId: uid };
  return traceparent === undefined ? identity : { ...identity, traceparent };
}
