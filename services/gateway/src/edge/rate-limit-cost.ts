import type { Limits } from '../accounts/account.ts';
import type { Charge, LimitResult, WindowName } from '../limiter/port.ts';
import type { RouteEntry } from './route-table.ts';

/** What one kind of request costs, with its RateLimit-Policy header. */
export interface RateLimitCost {
  charge: Charge;
  /** RateLimit-Policy. */
  policy: string;
}

/** Limits that only some endpoints count towards. */
export type EndpointCost = 'submit' | 'receipts' | 'reports';

/** Length of a window. */
const SECONDS = 60;
/** Requests without a valid key, per address. */
const ADDRESS_LIMIT = 60;
/** Pages, per address. A page is some hundred KB, and a reader loads a few at once. */
const PAGE_LIMIT = 120;

/** A request costs 1 of plan and burst, and 1 of each of `endpoints`. */
const requestCost = (limits: Limits, endpoints: readonly EndpointCost[]): RateLimitCost => cost(limits, endpoints, 1, 1);

/** The cost of a batch before its body is read: the request counts, its ids do not yet. The headers show `endpoints`. */
const requestBeforeItsIds = (limits: Limits, endpoints: readonly EndpointCost[]): RateLimitCost => cost(limits, endpoints, 1, 0);

/** The cost of the ids of a batch, after the request itself was counted. */
export const idsCost = (limits: Limits, endpoints: readonly EndpointCost[], ids: number): RateLimitCost => cost(limits, endpoints, 0, ids);

function cost(limits: Limits, endpoints: readonly EndpointCost[], cost: number, each: number): RateLimitCost {
  const windows = [
    { name: 'plan' as WindowName, size: limits.plan, cost },
    ...endpoints.map((name) => ({ name: name as WindowName, size: limits[name], cost: each })),
  ];
  const [plan, ...others] = windows.map(({ name, size }) => `"${name}";q=${size};w=${SECONDS}`);
  const burst = `"burst";q=${limits.burst};w=${Math.ceil((SECONDS * limits.burst) / limits.plan)}`;
  return { charge: { windows, burst: { size: limits.burst, perMinute: limits.plan, cost } }, policy: [plan, burst, ...others].join(', ') };
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

/** The route whose cost is its number of ids, which is known after its body was read. */
export const BATCH_SUBMIT = 'POST /invoices/batch/submit';

/** The cost of a request as far as its route determines it. Computed once for each caller and kind of route. */
export function routeCost(
  { costs, limits }: { costs: Map<string, RateLimitCost>; limits: Limits },
  entry: RouteEntry | undefined,
): RateLimitCost {
  const endpoints = entry?.route.cost;
  const kind = endpoints === undefined || endpoints.length === 0 ? '' : entry?.name === BATCH_SUBMIT ? BATCH_SUBMIT : endpoints.join();
  let cost = costs.get(kind);
  if (cost === undefined) {
    cost = kind === BATCH_SUBMIT ? requestBeforeItsIds(limits, endpoints ?? []) : requestCost(limits, endpoints ?? []);
    costs.set(kind, cost);
  }
  return cost;
}
