import type { Clock } from '@svc/kernel';
import type { BurstCharge, Charge, Limiter, LimitResult, Standing, WindowCharge, WindowName } from './port.ts';

const WINDOW_MS = 60_000;
/** Parts of a token, so that N tokens per minute are N parts per millisecond: all arithmetic is in integers and exact. */
const PARTS = WINDOW_MS;

interface Window {
  startedAt: number;
  used: number;
  /** The highest cost that it has refused. */
  refused?: number;
}

/** All counters of one scope. Plain data, kept in memory or in a document. */
export interface Counters {
  windows: Partial<Record<WindowName, Window>>;
  /** Missing parts of tokens at `at`, and when the bucket is full again (milliseconds since 1970). undefined: it is full. */
  burst?: { lacking: number; at: number; fullAt: number };
}

export const newCounters = (): Counters => ({ windows: {} });

/** Charges the counters in place when every limit has capacity, else changes nothing. `now`: milliseconds since 1970. */
export function admit(counters: Counters, charge: Charge, now: number): LimitResult {
  const { windows, burst } = charge;
  const exceeded: Standing['name'][] = [];
  for (const window of windows) if (window.cost > leftIn(counters, window, now)) exceeded.push(window.name);
  const lacking = burst ? lackingParts(counters, burst, now) : 0;
  const overdrawn = burst ? lacking + burst.cost * PARTS - burst.size * PARTS : 0;
  if (overdrawn > 0) exceeded.push('burst');
  if (exceeded.length === 0) consume(counters, charge, lacking, now);
  else noteRefused(counters, charge, now);
  return result(counters, charge, now, exceeded, overdrawn);
}

/** By a clock that was set back, what began long ahead is over. */
const isAhead = (at: number, now: number): boolean => at >= now + WINDOW_MS;

const current = (counters: Counters, name: WindowName, now: number): Window | undefined => {
  const window = counters.windows[name];
  return window && now < window.startedAt + WINDOW_MS && !isAhead(window.startedAt, now) ? window : undefined;
};

const leftIn = (counters: Counters, { name, size }: WindowCharge, now: number): number =>
  Math.max(0, size - (current(counters, name, now)?.used ?? 0));

const lackingParts = ({ burst }: Counters, { size, perMinute }: BurstCharge, now: number): number =>
  burst && !isAhead(burst.at, now) ? Math.min(size * PARTS, Math.max(0, burst.lacking - Math.max(0, now - burst.at) * perMinute)) : 0;

function consume(counters: Counters, { windows, burst }: Charge, lacking: number, now: number): void {
  for (const { name, cost } of windows) {
    if (cost === 0) continue;
    const window = current(counters, name, now);
    if (window) window.used = Math.max(0, window.used + cost);
    else if (cost > 0) counters.windows[name] = { startedAt: now, used: cost }; // a window starts with the first request that it counts
  }
  if (burst && burst.cost > 0) {
    const lacks = lacking + burst.cost * PARTS;
    counters.burst = { lacking: lacks, at: now, fullAt: now + Math.ceil(lacks / burst.perMinute) };
  }
}

/** Of `submit` alone, for jobs that share that limit with requests: a batch needs all of its submissions in one window. */
function noteRefused(counters: Counters, { windows }: Charge, now: number): void {
  for (const window of windows) {
    const of = window.name === 'submit' ? current(counters, window.name, now) : undefined;
    if (of && window.cost > leftIn(counters, window, now)) of.refused = Math.max(of.refused ?? 0, window.cost);
  }
}

function result(
  counters: Counters,
  { windows, burst }: Charge,
  now: number,
  exceeded: LimitResult['exceeded'],
  overdrawn: number,
): LimitResult {
  const admitted = exceeded.length === 0;
  const standings: Standing[] = [];
  let shown: WindowCharge | undefined;
  let left = Infinity;
  let resetAt = 0;
  for (const window of windows) {
    const leftHere = leftIn(counters, window, now);
    const { startedAt, refused } = current(counters, window.name, now) ?? { startedAt: now };
    const endsAt = startedAt + WINDOW_MS;
    standings.push({ name: window.name, left: leftHere, resetAt: endsAt, ...(refused !== undefined && { refused }) });
    // After a rejection the window to show is, of those that rejected, the one that ends last: waiting for it is enough.
    const better = admitted ? leftHere < left : window.cost > leftHere && endsAt > resetAt;
    if (better) [shown, left, resetAt] = [window, leftHere, endsAt];
  }
  if (burst) {
    const lacking = lackingParts(counters, burst, now);
    standings.push({ name: 'burst', left: Math.floor(burst.size - lacking / PARTS), resetAt: now + Math.ceil(lacking / burst.perMinute) });
    if (!admitted && shown === undefined) resetAt = now + Math.ceil(overdrawn / burst.perMinute);
  }
  const limit = (shown ?? windows[0])?.size ?? 0;
  return { admitted, exceeded, standings, limit, remaining: admitted ? left : 0, resetAt };
}

/** When these counters equal new ones, in milliseconds since 1970. */
export function idleFrom({ windows, burst }: Counters): number {
  let at = burst?.fullAt ?? 0;
  for (const { startedAt } of Object.values(windows)) at = Math.max(at, startedAt + WINDOW_MS);
  return at;
}

/** Counts in this process. A restart loses the counters. Synchronous. */
export interface MemoryLimiter extends Limiter {
  take(...args: Parameters<Limiter['take']>): LimitResult;
}

/** Scopes checked for each new one, so that idle ones are removed as fast as new ones are added. */
const LOOKS = 2;

/** Limits of callers who need no credential. */
const OF_ADDRESSES: ReadonlySet<WindowName | undefined> = new Set(['ip', 'sign_in']);

/** Keeps at most `capacity` scopes of API keys and as many addresses, separately: many addresses do not evict a caller. */
export function memoryLimiter(clock: Pick<Clock, 'now'>, capacity = 200_000): MemoryLimiter {
  const callers = boundedCounters(capacity);
  const addresses = boundedCounters(capacity);
  return {
    take(scope, charge) {
      const now = clock.now();
      const counted = OF_ADDRESSES.has(charge.windows[0]?.name) ? addresses : callers;
      return admit(counted(scope, now), charge, now);
    },
  };
}

/** Returns the counters of a scope, new ones for an unknown scope. */
function boundedCounters(capacity: number): (scope: string, now: number) => Counters {
  const scopes = new Map<string, Counters>();
  /** Removes the oldest scopes that are idle, and moves the others to the end of the order. */
  const sweep = (now: number): void => {
    for (let look = 0; look < LOOKS; look += 1) {
      const oldest = scopes.entries().next().value;
      if (oldest === undefined) return;
      const [scope, counters] = oldest;
      scopes.delete(scope);
      if (idleFrom(counters) > now && scopes.size < capacity - 1) scopes.set(scope, counters);
    }
  };
  return (scope, now) => {
    let counters = scopes.get(scope);
    if (counters === undefined) {
      sweep(now);
      counters = newCounters();
      scopes.set(scope, counters);
    }
    return counters;
  };
}
