import { prefixed } from '@svc/kernel';
import { beginServerSpan, permissionError } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../accounts/recognize.ts';
import { addressScope } from './address-scope.ts';
import { credentialOf, hostTakes, keyProblemOf } from './credential.ts';
import { guardHeaders, httpsRequired, invalidKey, sendError, suspended, unknownMethod, unknownPath } from './send-error.ts';
import type { EdgeOptions } from './options.ts';
import type { RequestContext } from './request-context.ts';
import { callerAddress, cameByHttp, type Proxies } from './proxies.ts';
import { addressCounted, addressUncounted, type FailedRequest, type RateLimits, routeCost } from './rate-limits.ts';
import { NEAR } from '../storage/metrics.ts';
import type { PathEntry, RouteTable } from './route-table.ts';
import { pathMeant } from './path-meant.ts';

/** Steps 1 to 5 of the order of checks: https, key, limits, path and method, permission. A request that fails one is answered here. */
export interface Authentication {
  /** Steps 1 to 3, for a request without a known route. Calls `go` for a valid key within its limits. */
  authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    go: (requestContext: RequestContext, pathEntry: PathEntry | undefined) => void,
  ): void;
  /** Steps 1 to 5. Sets `request.identity`, then calls `go`. */
  authorize(request: FastifyRequest, reply: FastifyReply, path: string, go: () => void): void;
}

type Parts = Pick<EdgeOptions, 'keys' | 'storage' | 'ids' | 'hosts' | 'requireHttps'> & {
  entryAt: RouteTable;
  limits: RateLimits;
  proxies: Proxies;
  fail: FailedRequest;
};

export function createAuthentication({ keys, storage, limits, ids, hosts, requireHttps, proxies, entryAt, fail }: Parts): Authentication {
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

    const credential = credentialOf(request.headers);
    const withoutKey = (): void =>
      limits.charge(request, reply, requestId, scopeOf(request), addressCounted, () => {
        const problem = 'value' in credential ? keyProblemOf(credential.value, hosts, request.headers.host) : credential.problem;
        reply.header('www-authenticate', 'Bearer');
        sendError(request, reply, requestId, invalidKey(problem));
      });

    const withCaller = (caller: Caller | null): void => {
      if (caller === null || !hostTakes(hosts, request.headers.host, caller.env)) return withoutKey();
      keys.noteUse(caller);
      const pathEntry = entryAt(path);
      const route = pathEntry?.methods.get(request.method);
      const requestContext: RequestContext = { requestId, uid, path, caller, route, claim: undefined };
      request.requestContext = requestContext;
      const used = storage.used(caller);
      if (used >= NEAR) reply.header('x-storage-used', (Math.floor(Math.min(1, used) * 100) / 100).toFixed(2));
      limits.charge(request, reply, requestId, caller.scope, routeCost(caller, route), () => go(requestContext, pathEntry));
    };

    const caller = 'value' in credential ? keys.recognize(credential.value) : null;
    if (!(caller instanceof Promise)) return withCaller(caller);
    caller
      .then(withCaller)
      .catch((error: unknown) =>
        limits.charge(request, reply, requestId, scopeOf(request), addressUncounted, () => fail(request, reply, requestId, error)),
      );
  };

  return {
    authenticate,
    authorize: (request, reply, path, go) =>
      authenticate(request, reply, path, (requestContext, pathEntry) => {
        const { caller, route, requestId } = requestContext;
        const deny = (error: Parameters<typeof sendError>[3]): void => sendError(request, reply, requestId, error);
        if (pathEntry === undefined) return deny(unknownPath(pathMeant(path, entryAt)));
        if (route === undefined) {
          reply.header('allow', pathEntry.allow);
          return deny(unknownMethod(request.method, pathEntry.allow, path));
        }
        if (caller.suspended) return deny(suspended());
        const forbidden = permissionError(route.name, caller.permissions);
        if (forbidden) return deny(forbidden);
        const span = beginServerSpan(request, reply, {
          service: 'gateway',
          route: `/v1${route.route.path}`,
          attributes: { 'svc.request_id': requestId, 'svc.account': caller.account },
        });
        request.identity = identityOf(caller, requestContext, span);
        go();
      }),
  };
}

function identityOf(
  { account, env, permissions, actor }: Caller,
  { requestId, uid }: RequestContext,
  traceparent: string | undefined,
): FastifyRequest['identity'] {
  const identity = { account, env, livemode: env === 'live', permissions, actor, requestId, commandId: uid };
  return traceparent === undefined ? identity : { ...identity, traceparent };
}
