import type { Clock } from '@svc/kernel';
import { LRUCache } from 'lru-cache';

const KNOWN = 10_000;
/** Timers are this late on a busy machine: so much is made up for. */
const TOLERANCE_MS = 50;

interface Paced {
  everyMs: number;
  /** When the next webhook would be sent at an even pace. */
  nextAt: number;
}

/**
 * The endpoints with a `rate_per_second`, each known since an attempt has read it (GCRA: evenly spaced, with what comes in 50 ms at once). Each process of the service keeps it for
 * what it sends.
 */
export function createPacing(clock: Pick<Clock, 'now'>) {
  const paced = new LRUCache<string, Paced>({ max: KNOWN });

  return {
    /** Milliseconds until a webhook may begin; 0: now. */
    waitMs(endpoint: string): number {
      const known = paced.get(endpoint);
      return known ? Math.max(0, Math.ceil(known.nextAt - TOLERANCE_MS - clock.now())) : 0;
    },
    /** How many begin in so many milliseconds, at least one; infinitely many without a pace. */
    within: (endpoint: string, ms: number): number => Math.max(1, Math.floor(ms / (paced.get(endpoint)?.everyMs ?? 0))),
    /** One begins. False: the endpoint is not known to have a pace. */
    begin(endpoint: string): boolean {
      const known = paced.get(endpoint);
      if (known) known.nextAt = Math.max(known.nextAt, clock.now()) + known.everyMs;
      return known !== undefined;
    },
    /** Notes the endpoint's pace. */
    note(endpoint: string, perSecond: number | null | undefined): void {
      const known = paced.get(endpoint);
      if (!perSecond) paced.delete(endpoint);
      else if (known) known.everyMs = 1000 / perSecond;
      else paced.set(endpoint, { everyMs: 1000 / perSecond, nextAt: 0 });
    },
  };
}

export type Pacing = ReturnType<typeof createPacing>;
