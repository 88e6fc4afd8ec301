import type { Limits } from '../accounts/account.ts';
import type { Charge, LimitResult, WindowName } from '../limiter/port.ts';

/** What one kind of request costs an account, with the header that tells of it. */
export interface RateLimitCost {
  charge: Charge;
  /** RateLimit-Policy. */
  policy: string;
}

/** Limits that only some endpoints count. */
export type EndpointCost = 'submit' | 'receipts' | 'reports';

/** Windows last a minute. */
const SECONDS = 60;
/** Requests without a valid key, per address. */
const ADDRESS_LIMIT = 60;
/** Pages, per address: some hundred KB each, of which a reader asks for a few at once. */
const PAGE_LIMIT = 120;

/** Every request costs 1 of plan and burst, and 1 of each of `endpoints`. */
export const requestCost = (limits: Limits, endpoints: readonly EndpointCost[]): RateLimitCost => cost(limits, endpoints, 1, 1);

/** Before the body is read the number of ids is not known: shows `endpoints`, counts the request alone. */
export const requestBeforeItsIds = (limits: Limits, endpoints: readonly EndpointCost[]): RateLimitCost => cost(limits, endpoints, 1, 0);

/** What the ids of a batch cost, once the request itself was counted. */
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
/** A request refused before its key was looked at: shown, not counted. */
export const addressUncounted: RateLimitCost = addressCost(ADDRESS_LIMIT, 0);
/** What is not under /v1: pages, and paths where nothing is. */
export const pageCost: RateLimitCost = addressCost(PAGE_LIMIT, 1);

/** The rate-limit headers of an answer; `now` in milliseconds since 1970. Retry-After is not among them. */
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
