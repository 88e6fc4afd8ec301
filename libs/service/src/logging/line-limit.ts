import type { Clock } from '@svc/kernel';

/** The number of lines of one scope that were not written. */
export interface Suppressed {
  /** undefined: the sum over scopes that were evicted. */
  scope: string | undefined;
  count: number;
}

interface Bucket {
  tokens: number;
  at: number;
  suppressed: number;
}

/** Lines of each scope. */
export interface LineRate {
  atOnce: number;
  perMinute: number;
}

/** Lines of all scopes together, so that callers from many addresses do not fill the disk. */
const ALL_BURST = 1_000;
const ALL_PER_MINUTE = 6_000;
const MINUTE_MS = 60_000;
const MOST_SCOPES = 1_000;

/** One token bucket for each of the latest 1,000 scopes, and one for all scopes together. */
export function createLineLimit(
  clock: Pick<Clock, 'now' | 'after'>,
  { atOnce, perMinute }: LineRate,
  notify: (suppressed: Suppressed) => void,
) {
  const buckets = new Map<string, Bucket>();
  const all: Bucket = { tokens: ALL_BURST, at: clock.now(), suppressed: 0 };
  let forgotten = 0;
  let cancel: (() => void) | undefined;

  const bucketOf = (scope: string): Bucket => {
    const known = buckets.get(scope);
    if (known) return known;
    if (buckets.size >= MOST_SCOPES) forgetOldest();
    const made = { tokens: atOnce, at: clock.now(), suppressed: 0 };
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
      if (bucket.suppressed > 0) notify({ scope, count: bucket.suppressed });
      bucket.suppressed = 0;
    }
    if (forgotten > 0) notify({ scope: undefined, count: forgotten });
    forgotten = 0;
  };

  return {
    /** Whether to write a line of this scope. Lines that are not written are counted and reported within a minute. */
    allows(scope: string): boolean {
      const now = clock.now();
      const bucket = bucketOf(scope);
      if (take(bucket, atOnce, perMinute, now) && take(all, ALL_BURST, ALL_PER_MINUTE, now)) return true;
      bucket.suppressed += 1;
      cancel ??= clock.after(MINUTE_MS, report);
      return false;
    },
    /** Reports what was not reported yet. */
    close: report,
  };
}

/** Takes a token; false if there is none. A clock that goes back adds no tokens. */
function take(bucket: Bucket, burst: number, perMinute: number, now: number): boolean {
  bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) * perMinute) / MINUTE_MS);
  bucket.at = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}
