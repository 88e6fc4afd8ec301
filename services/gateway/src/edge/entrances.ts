import { type ConsoleRouteName, consoleRouteNames, consoleRoutes } from '@svc/contracts/console/routes';
import type { Route } from '@svc/contracts/http/route';
import { routes } from '@svc/contracts/routes';
import { type Clock, prefixed } from '@svc/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { keyResolver } from '../principals/api-key/resolve-key.ts';
import type { Inside, Insiders } from '../principals/inside/ask-inside.ts';
import { createInsideTurns } from '../principals/inside/turns.ts';
import { refusedOrigin, sessionResolver } from '../principals/session/resolve-session.ts';
import { withheld } from '../personal-data/withheld.ts';
import { pageScope, callerAddress, type Proxies } from './addresses.ts';
import { type Authentication, createAuthentication } from './authenticate.ts';
import type { EdgeOptions } from './options.ts';
import { type FailedRequest, pageCost, type RateLimits } from './rate-limits.ts';
import { consolePath, createRouteTable, interfacePath, type RouteEntry, type RouteTable } from '../routing/route-table.ts';
import { guardHeaders, sendError } from './send-error.ts';
import type { Resolver } from '../principals/resolver.ts';
import { randomBytes } from 'node:crypto';

/** How a request comes in: with a key, with a session, or by a route of the dashboard that is open to anyone. */
export type Entrance = { authentication: Authentication; path: string } | { open: RouteEntry | undefined };

export interface Entrances {
  /** That of a request; undefined: it is for a page. */
  of(request: FastifyRequest): Entrance | undefined;
  keys: Authentication;
  /** Routes of the interface for keys. */
  entryAt: RouteTable;
  /** Counts a request of an open route by its address. A write needs the dashboard's own Origin. */
  enterOpen(request: FastifyRequest, reply: FastifyReply, go: () => void): void;
}

interface Parts {
  limits: RateLimits;
  proxies: Proxies;
  fail: FailedRequest;
}

const DOCUMENT = '/console/openapi.json';
/** A member has no key of its own that it could rotate. */
const OF_KEYS_ALONE = '/api-keys/rotate';

/** The rows of the dashboard as the edge reads rows. */
const asRoutes = Object.fromEntries(
  consoleRouteNames.map((name): [string, Route] => {
    const {
      incomplete: _,
      may: __,
      livemode: ___,
      suspended: ____,
      stepUp: _____,
      proves: ______,
      personal: _______,
      ...row
    } = consoleRoutes[name];
    return [name, { ...row, permission: null, service: 'gateway', served: true }];
  }),
) as Record<ConsoleRouteName, Route>;

export function createEntrances(options: EdgeOptions, { limits, proxies, fail }: Parts): Entrances {
  const { keys, hosts, sessions, cookies, sessionTerms: terms, clock, ids } = options;
  const publicUrl = options.consoleOrigin;
  const addressOf = ({ raw }: FastifyRequest): string => callerAddress(proxies, raw);
  let table: RouteTable | undefined;
  const entryAt: RouteTable = (path) => (table ??= createRouteTable(routes, options.served()))(path);
  const consoleAt = createRouteTable(asRoutes, consoleRouteNames);
  const shared = { ...options, limits, proxies, fail };

  const authenticationOf = (resolver: Resolver, at: RouteTable, base: string): Authentication =>
    createAuthentication({
      ...{ ...shared, resolver: seeing(resolver), entryAt: at, base },
      opensSuspended: ({ name }) => Object.hasOwn(consoleRoutes, name) && consoleRoutes[name as ConsoleRouteName].suspended === true,
    });
  const byKey = authenticationOf(keyResolver({ keys, hosts, addressOf }), entryAt, '/v1');
  const bySession = sessionResolver({ sessions, cookies, terms, publicUrl, clock, addressOf });
  const mirror = authenticationOf(bySession, (path) => (path === OF_KEYS_ALONE ? undefined : entryAt(path)), '/console/v1');
  const own = authenticationOf(bySession, consoleAt, '');

  return {
    keys: byKey,
    entryAt,
    of(request) {
      const { url = '' } = request.raw;
      const path = interfacePath(url) ?? (request.routeOptions.url?.startsWith('/v1') ? '' : undefined);
      if (path !== undefined) return { path, authentication: request.originalUrl === url ? byKey : mirror };
      const below = consolePath(url) ?? (request.routeOptions.url?.startsWith('/console') ? '/console' : undefined);
      if (below === undefined) return undefined;
      const open = consoleAt(below)?.methods.get(request.method);
      if (open && consoleRoutes[open.name as ConsoleRouteName].may === 'anyone') return { open };
      if (below === DOCUMENT && request.method === 'GET') return { open: undefined };
      return { path: below, authentication: own };
    },
    enterOpen(request, reply, go) {
      const requestId = prefixed('req', ids.next());
      reply.header('x-request-id', requestId).headers(guardHeaders);
      limits.charge(request, reply, requestId, pageScope(addressOf(request)), pageCost, () => {
        const refused = refusedOrigin(request, publicUrl);
        if (refused) sendError(request, reply, requestId, refused);
        else go();
      });
    },
  };
}

/** The same resolver, which refuses files with personal data to whom they are not for. */
const seeing = (resolver: Resolver): Resolver => ({
  ...resolver,
  forbids: (request, principal, route) =>
    resolver.forbids(request, principal, route) ??
    (principal.personalData ? undefined : withheld(route.name, route.route.path, request.query)),
});

const HEADER = 'x-svc-inside';

export function createInsiders(clock: Pick<Clock, 'after'>): Insiders {
  const admitted = new Map<string, Inside>();
  return {
    turns: createInsideTurns(clock),
    admit(inside) {
      const word = randomBytes(32).toString('base64url');
      admitted.set(word, inside);
      return { [HEADER]: word };
    },
    take({ headers }) {
      const word = headers[HEADER];
      if (typeof word !== 'string') return undefined;
      const found = admitted.get(word);
      admitted.delete(word);
      return found;
    },
  };
}
