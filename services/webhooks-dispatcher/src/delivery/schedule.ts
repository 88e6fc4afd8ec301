import { millisOf } from '@svc/kernel';

/** The contract's delays before retries 1 to 5, in milliseconds. */
export const CONTRACT_DELAYS = [60_000, 300_000, 1_800_000, 7_200_000, 86_400_000] as const;

const DAY_MS = 86_400_000;

/**
 * When the next attempt is due after the `made`-th scheduled one (`made` from 1), in milliseconds; null when it was the last. Delays count
 * from the end of the attempt. `Retry-After` of a 429 or 503 (seconds or an HTTP date) may lengthen a delay up to a day, never shorten it.
 */
export function nextAttemptAt(made: number, endedAt: number, delays: readonly number[], retryAfter?: string): number | null {
  const delay = delays[made - 1];
  if (delay === undefined) return null;
  return endedAt + Math.max(delay, Math.min(DAY_MS, askedMs(retryAfter, endedAt)));
}

function askedMs(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  if (/^\d{1,10}$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const at = millisOf(retryAfter);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
