import { compareAndSet, type Collection, type Doc } from '@svc/document-store';
import { type Clock, recentlyUsed } from '@svc/kernel';

/** When the next webhook of an endpoint would be sent at an even pace, by whichever process (milliseconds since 1970). */
export interface Pace extends Doc {
  next_at: number;
}

export const WEBHOOK_PACES = 'webhook_paces';
export const paceIndexes = { indexes: [{ fields: ['next_at'] }] };

const KNOWN = 10_000;
/** Timers and reservations are this late on a busy machine: so much is made up for. */
const TOLERANCE_MS = 50;
/** A process reserves so much of an endpoint's time at once: one write, and at most so much is lost when it sends nothing more. */
const RESERVED_MS = 250;
/** How soon it is looked whether a reservation is stored. */
const STORING_MS = 10;
/** What processes have reserved together is less: a time that is further ahead is of a clock that was ahead, and was set back since. */
const AHEAD_MS = 30_000;
const AFTER_ERROR_MS = 1_000;

interface Paced {
  everyMs: number;
  /** When the next webhook that this process has reserved may begin, and how many it has. */
  nextAt: number;
  reserved: number;
  /** Until when nothing is asked of the store: a reservation is being stored, or could not be. */
  askAt: number;
}

/**
 * The endpoints with a `rate_per_second`, each known since an attempt has read it (GCRA: evenly spaced, with what comes in 50 ms at once). The processes of the service share an
 * endpoint's pace: each reserves the next times of it in the document store, a quarter of a second at once.
 */
export function createPacing(paces: Collection<Pace>, clock: Pick<Clock, 'now'>, onError: (error: unknown) => void) {
  const paced = recentlyUsed<Paced>(KNOWN);

  /** The first of `ms` milliseconds that no other process has. */
  async function reserve(endpoint: string, ms: number): Promise<number> {
    const now = clock.now();
    let first = now;
    await compareAndSet(paces, endpoint, {
      absent: () => ({ _id: endpoint, version: 1, next_at: (first = now) + ms }),
      change({ next_at: at }) {
        first = at > now + AHEAD_MS ? now : Math.max(at, now - TOLERANCE_MS);
        return { next_at: first + ms };
      },
    });
    return first;
  }

  async function ask(endpoint: string, known: Paced): Promise<void> {
    const count = Math.max(1, Math.floor(RESERVED_MS / known.everyMs));
    known.askAt = Infinity;
    try {
      known.nextAt = await reserve(endpoint, count * known.everyMs);
      known.reserved = count;
      known.askAt = -Infinity;
    } catch (error) {
      known.askAt = clock.now() + AFTER_ERROR_MS;
      onError(error);
    }
  }

  return {
    /** Milliseconds until a webhook may begin, or until the next look at it; 0: now. */
    waitMs(endpoint: string): number {
      const known = paced.get(endpoint);
      if (!known) return 0;
      const now = clock.now();
      if (known.reserved > 0 && known.nextAt <= now + AHEAD_MS) return Math.max(0, Math.ceil(known.nextAt - TOLERANCE_MS - now));
      if (known.askAt <= now || (known.askAt > now + AFTER_ERROR_MS && known.askAt < Infinity)) void ask(endpoint, known);
      return STORING_MS;
    },
    /** How many begin in so many milliseconds, at least one; infinitely many without a pace. */
    within: (endpoint: string, ms: number): number => Math.max(1, Math.floor(ms / (paced.get(endpoint)?.everyMs ?? 0))),
    /** One begins, after `waitMs` was 0. False: the endpoint is not known to have a pace. */
    begin(endpoint: string): boolean {
      const known = paced.get(endpoint);
      if (!known) return false;
      known.reserved -= 1;
      known.nextAt += known.everyMs;
      return true;
    },
    /** Notes the endpoint's pace. */
    note(endpoint: string, perSecond: number | null | undefined): void {
      const known = paced.get(endpoint);
      if (!perSecond) paced.delete(endpoint);
      else if (known) known.everyMs = 1000 / perSecond;
      else paced.set(endpoint, { everyMs: 1000 / perSecond, nextAt: 0, reserved: 0, askAt: -Infinity });
    },
  };
}

export type Pacing = ReturnType<typeof createPacing>;
