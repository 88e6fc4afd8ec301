import type { Clock } from '@svc/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Limits } from '../accounts/account.ts';
import type { Charge, Limiter, LimitResult, RateLimitCost, WindowCharge, WindowName } from '../limiter/port.ts';
import type { OwnLimits, Principal, ScopedCost } from '../principals/principal.ts';
import type { RouteEntry } from '../routing/route-table.ts';
import { type ExceededLimit, rateLimited, sendError } from './send-error.ts';

/** Limits that only some endpoints count towards. */
export type EndpointCost = 'submit' | 'receipts' | 'reports';

/** Length of a window. */
const SECONDS = 60;
/** Requests without a valid key, per address. */
const ADDRESS_LIMIT = 60;
/** Pages, per address. A page is some hundred KB, and a reader loads a few at once. */
const PAGE_LIMIT = 120;
/** Files of the dashboard, per address: a browser loads each once a release, and an office shares an address. */
const ASSET_LIMIT = 3_000;

/** Items of a batch that cost as much of the plan as one request. */
const ITEMS_OF_A_REQUEST = 10;

/** A request costs 1 of plan and burst, and 1 of each of `endpoints`. */
const requestCost = (limits: Limits, endpoints: readonly EndpointCost[]): RateLimitCost =>
  costOf(limits, endpoints, { plan: 1, burst: 1, endpoint: 1 });

/** The cost of a batch before its body is read: that of one request. Its items do not count yet. The headers show `endpoints`. */
const batchCost = (limits: Limits, endpoints: readonly EndpointCost[]): RateLimitCost =>
  costOf(limits, endpoints, { plan: 1, burst: 1, endpoint: 0 });

/** The most items of one batch that the limits of its route can ever admit. */
export const mostItems = ({ limits, ownLimits }: Pick<Principal, 'limits' | 'ownLimits'>, endpoints: readonly EndpointCost[]): number =>
  Math.min((ownLimits?.requests ?? limits.plan) * ITEMS_OF_A_REQUEST, ...endpoints.map((name) => limits[name]));

/** What the items of a batch cost besides the request, which is counted already. Ten of them are a request of the plan, of a member's one of its own. */
export function itemsCosts(
  { limits, ownLimits, scope }: Pick<Principal, 'limits' | 'ownLimits' | 'scope'>,
  endpoints: readonly EndpointCost[],
  items: number,
): readonly ScopedCost[] {
  const more = Math.max(0, Math.ceil(items / ITEMS_OF_A_REQUEST) - 1);
  if (more === 0 && endpoints.length === 0) return [];
  if (!ownLimits) return [{ scope, cost: costOf(limits, endpoints, { plan: more, burst: 0, endpoint: items }) }];
  const own = { scope: ownLimits.scope, cost: windowCost([{ name: 'member', size: ownLimits.requests, cost: more }]) };
  const shared = endpoints.map((name): WindowCharge => ({ name, size: limits[name], cost: items }));
  return shared.length === 0 ? [own] : [own, { scope, cost: windowCost(shared) }];
}

/** What gives the request of a batch back, and what of its items was taken. */
const backOf = ({ charge: { windows } }: RateLimitCost, wasTaken: boolean): Charge => ({
  windows: windows
    .map((window) => ({ ...window, cost: -(wasTaken ? window.cost : 0) - (window.name === 'plan' || window.name === 'member' ? 1 : 0) }))
    .filter(({ cost }) => cost < 0),
});

function costOf(
  limits: Limits,
  endpoints: readonly EndpointCost[],
  cost: { plan: number; burst: number; endpoint: number },
): RateLimitCost {
  const windows = [
    { name: 'plan' as WindowName, size: limits.plan, cost: cost.plan },
    ...endpoints.map((name) => ({ name: name as WindowName, size: limits[name], cost: cost.endpoint })),
  ];
  const [plan, ...others] = windows.map(({ name, size }) => `"${name}";q=${size};w=${SECONDS}`);
  const burst = `"burst";q=${limits.burst};w=${Math.ceil((SECONDS * limits.burst) / limits.plan)}`;
  return {
    charge: { windows, burst: { size: limits.burst, perMinute: limits.plan, cost: cost.burst } },
    policy: [plan, burst, ...others].join(', '),
  };
}

const addressCost = (size: number, cost: number): RateLimitCost => ({
  charge: { windows: [{ name: 'ip', size, cost }] },
  policy: `"ip";q=${size};w=${SECONDS}`,
});
/** A request without a valid key. */
export const addressCounted: RateLimitCost = addressCost(ADDRESS_LIMIT, 1);
/** A request that is rejected before authentication: the headers show the limit, nothing is counted. */
export const addressUncounted: RateLimitCost = addressCost(ADDRESS_LIMIT, 0);
/** Everything outside /v1: pages and unknown paths. */
export const pageCost: RateLimitCost = addressCost(PAGE_LIMIT, 1);
export const assetCost: RateLimitCost = addressCost(ASSET_LIMIT, 1);

/** The rate-limit headers of a response without Retry-After. `now`: milliseconds since 1970. */
export function limitHeaders(
  { policy }: RateLimitCost,
  { limit, remaining, resetAt, standings }: LimitResult,
  now: number,
): Record<string, string> {
  let left = '';
  for (const standing of standings) {
    const seconds = standing.resetAt > now ? Math.ceil((standing.resetAt - now) / 1000) : 0;
    left += `${left === '' ? '' : ', '}"${standing.name}";r=${standing.left};t=${seconds}`;
  }
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    'ratelimit-policy': policy,
    ratelimit: left,
  };
}

const exceededOf = ({ charge: { windows, burst } }: RateLimitCost, { exceeded }: LimitResult): ExceededLimit[] =>
  exceeded.map((name) => {
    const { size = 0 } = name === 'burst' ? (burst ?? {}) : (windows.find((window) => window.name === name) ?? {});
    return { name, size, perMinute: name === 'burst' ? (burst?.perMinute ?? size) : size };
  });

/**
 * The costs of a request as far as its route determines them: the items of a batch are known once its body is read. Computed once for each principal and kind of
 * route.
 */
export function routeCosts(
  principal: Pick<Principal, 'costs' | 'limits' | 'scope' | 'ownLimits'>,
  entry: RouteEntry | undefined,
): readonly ScopedCost[] {
  const { costs, limits, scope, ownLimits } = principal;
  const { cost: endpoints = [], items, weighs = 1 } = entry?.route ?? {};
  const kind = endpoints.length === 0 && weighs === 1 ? '' : `${items ?? ''} ${endpoints.join()} ${weighs}`;
  let known = costs.get(kind);
  if (known === undefined) {
    if (ownLimits) known = memberCosts(principal, ownLimits, { endpoints, cost: items ? 0 : 1, weighs });
    else known = [{ scope, cost: items ? batchCost(limits, endpoints) : requestCost(limits, endpoints) }];
    costs.set(kind, known);
  }
  return known;
}

/** Of a member: its own limits, and those of the account that are the authority's. */
function memberCosts(
  { limits, scope }: Pick<Principal, 'limits' | 'scope'>,
  own: OwnLimits,
  { endpoints, cost, weighs }: { endpoints: readonly EndpointCost[]; cost: number; weighs: number },
): readonly ScopedCost[] {
  const windows: WindowCharge[] = [{ name: 'member', size: own.requests, cost: weighs }];
  if (endpoints.includes('reports')) windows.push({ name: 'reports', size: own.reports, cost: 1 });
  const shared = endpoints.filter((name) => name !== 'reports').map((name): WindowCharge => ({ name, size: limits[name], cost }));
  return [{ scope: own.scope, cost: windowCost(windows) }, ...(shared.length > 0 ? [{ scope, cost: windowCost(shared) }] : [])];
}

const windowCost = (windows: WindowCharge[]): RateLimitCost => ({
  charge: { windows },
  policy: windows.map(({ name, size }) => `"${name}";q=${size};w=${SECONDS}`).join(', '),
});

const HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit-policy', 'ratelimit'];
const shownHeaders = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(HEADERS.map((name) => [name, String(reply.getHeader(name))]));

/** Answers a request that an internal error stops. */
export type FailedRequest = (request: FastifyRequest, reply: FastifyReply, requestId: string, error: unknown) => void;

/** Charges requests to their rate limits and sets the response's headers. */
export interface RateLimits {
  /** Calls `go` within the limits, else answers 429. Synchronous when the limiter is. */
  charge(request: FastifyRequest, reply: FastifyReply, requestId: string, scope: string, cost: RateLimitCost, go: () => void): void;
  /** The same for several scopes, one after the other; the headers are those of the first that has no capacity, else of the one with the fewest left. */
  chargeAll(request: FastifyRequest, reply: FastifyReply, requestId: string, costs: readonly ScopedCost[], go: () => void): void;
  /** The same for the items of a batch, whose request is counted already: without capacity for all of them that is given back, and nothing is charged. */
  chargeItems(...charge: Parameters<RateLimits['chargeAll']>): void;
  /** Charges, and returns the headers for responses that are written without a reply. */
  headersOf(scope: string, cost: RateLimitCost): Promise<Record<string, string>>;
}

export function createRateLimits(limiter: Limiter, clock: Pick<Clock, 'now'>, fail: FailedRequest): RateLimits {
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
    else sendError(request, reply, requestId, rateLimited(exceededOf(cost, result), Math.max(1, Math.ceil((result.resetAt - now) / 1000))));
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
    chargeAll(request, reply, requestId, [first, ...others], go) {
      if (!first) return go();
      if (others.length === 0) return this.charge(request, reply, requestId, first.scope, first.cost, go);
      this.charge(request, reply, requestId, first.scope, first.cost, () => {
        const left = Number(reply.getHeader('x-ratelimit-remaining'));
        const shown = shownHeaders(reply);
        this.chargeAll(request, reply, requestId, others, () => {
          if (left < Number(reply.getHeader('x-ratelimit-remaining'))) reply.headers(shown);
          go();
        });
      });
    },
    chargeItems(request, reply, requestId, costs, go) {
      const charged = async (): Promise<void> => {
        const taken: { cost: RateLimitCost; result: LimitResult }[] = [];
        for (const { scope, cost } of costs) {
          const result = await limiter.take(scope, cost.charge);
          if (!result.admitted) {
            const backs = costs.map((one, n) => ({ scope: one.scope, back: backOf(one.cost, n < taken.length) }));
            for (const { scope: of, back } of backs) if (back.windows.length > 0) await limiter.take(of, back);
            return settle(request, reply, requestId, cost, result, go);
          }
          taken.push({ cost, result });
        }
        const [least] = taken.sort((a, b) => a.result.remaining - b.result.remaining);
        if (least) settle(request, reply, requestId, least.cost, least.result, go);
        else go();
      };
      charged().catch((error: unknown) => fail(request, reply, requestId, error));
    },
    async headersOf(scope, cost) {
      return limitHeaders(cost, await limiter.take(scope, cost.charge), clock.now());
    },
  };
}
