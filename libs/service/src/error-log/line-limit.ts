import type { Clock } from '@svc/kernel';

/** Lines that were not written for one scope. */
export interface Suppressed {
  /** undefined: of scopes that are not remembered any more, together. */
  scope: string | undefined;
  count: number;
}

export interface LineLimit {
  /** Whether a line of this scope is written. One that is not is counted, and told of within a minute. */
  allows(scope: string): boolean;
  /** Tells what was not told yet. */
  close(): void;
}

interface Bucket {
  tokens: number;
  at: number;
  suppressed: number;
}

/** Of each scope: so many lines at once, and in a minute after. */
const BURST = 100;
const PER_MINUTE = 60;
/** Of all scopes together, so that callers from many addresses do not fill the disk either. */
const ALL_BURST = 1_000;
const ALL_PER_MINUTE = 6_000;
const MINUTE_MS = 60_000;
const MOST_SCOPES = 1_000;

/** A token bucket for each of the latest 1,000 scopes, and one for all. */
export function createLineLimit(clock: Pick<Clock, 'now' | 'after'>, tell: (suppressed: Suppressed) => void): LineLimit {
  const buckets = new Map<string, Bucket>();
  const all: Bucket = { tokens: ALL_BURST, at: clock.now(), suppressed: 0 };
  let forgotten = 0;
  let cancel: (() => void) | undefined;

  const bucketOf = (scope: string): Bucket => {
    const known = buckets.get(scope);
    if (known) return known;
    if (buckets.size >= MOST_SCOPES) forgetOldest();
    const made = { tokens: BURST, at: clock.now(), suppressed: 0 };
    buckets.set(scope, made);
    return made;
  };

  const forgetOldest = (): void => {
    const [scope, { suppressed }] = buckets.entries().next().value as [string, Bucket];
    buckets.delete(scope);
    forgotten += suppressed;
  };

  const report = (): void => {
    cancel?.();
    cancel = undefined;
    for (const [scope, bucket] of buckets) {
      if (bucket.suppressed > 0) tell({ scope, count: bucket.suppressed });
      bucket.suppressed = 0;
    }
    if (forgotten > 0) tell({ scope: undefined, count: forgotten });
    forgotten = 0;
  };

  return {
    allows(scope) {
      const now = clock.now();
      const bucket = bucketOf(scope);
      if (take(bucket, BURST, PER_MINUTE, now) && take(all, ALL_BURST, ALL_PER_MINUTE, now)) return true;
      bucket.suppressed += 1;
      cancel ??= clock.after(MINUTE_MS, report);
      return false;
    },
    close: report,
  };
}

/** True when there was a token left. A clock that is turned back adds none. */
function take(bucket: Bucket, burst: number, perMinute: number, now: number): boolean {
  bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) * perMinute) / MINUTE_MS);
  bucket.at = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}
