import type { Clock } from '@svc/kernel';
import type { Collection, Doc } from './port.ts';

/** A document with work that is due at a time. */
export interface Job extends Doc {
  /** Milliseconds since 1970; null: nothing to do. The collection declares the index `['due_at']`. */
  due_at: number | null;
}

export interface JobQueueOptions<D extends Job> {
  name: string;
  collection: Collection<D>;
  clock: Clock;
  /**
   * Does the work and writes each job's next `due_at` (or null) over the version that it received. A job that it does not write, or that it
   * was working on when it threw, returns a minute after it was claimed; so does one that takes longer than that.
   */
  handle: (jobs: D[]) => Promise<void>;
  /** The most jobs in one batch. */
  batch?: number;
  /** How often to look for jobs of other processes, in milliseconds. A job that falls due by the clock, or a `wake`, does not wait for it. */
  lookEvery?: number;
  logger: { error(fields: object, message: string): void };
}

export interface JobQueue {
  /** Looks for due jobs now instead of at the next poll. */
  wake(): void;
  /** Takes no more jobs; resolves when the work in hand is done. */
  stop(): Promise<void>;
  /** How many seconds the oldest due job has been waiting; 0 when none is. */
  lag(): Promise<number>;
}

const CLAIM_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
const AFTER_ERROR_MS = 1_000;

/**
 * Works on due jobs, oldest first, one batch after the other. It runs at the due time of the next job, on `wake`, and every
 * `lookEvery` for jobs of other processes (by default once a second). Any number of workers may share a collection: each job is claimed by one.
 */
export function startJobs<D extends Job>({
  name,
  collection,
  clock,
  handle,
  batch = 200,
  lookEvery = LOOK_EVERY_MS,
  logger,
}: JobQueueOptions<D>): JobQueue {
  const stopped = new AbortController();
  let waiting = new AbortController();

  const nextDueAt = async (): Promise<number> => {
    for await (const { due_at } of collection.find({ due_at: { $gte: 0 } }, { sort: { due_at: 1 }, limit: 1 })) return due_at ?? Infinity;
    return Infinity;
  };

  /** Works on due jobs; returns the milliseconds until the next one is due. */
  const turn = async (): Promise<number> => {
    const now = clock.now();
    const at = await nextDueAt();
    if (at > now) return at - now;
    const due = await collection.claim(
      { due_at: { $lte: now } },
      { set: { due_at: now + CLAIM_MS } as Partial<D> },
      { sort: { due_at: 1 }, limit: batch },
    );
    if (due.length > 0) await handle(due);
    return 0;
  };

  const work = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      waiting = new AbortController();
      const idle = await turn().catch((error: unknown) => {
        logger.error({ work: name, err: error }, 'jobs failed; they are tried again');
        return AFTER_ERROR_MS;
      });
      if (stopped.signal.aborted) return;
      if (idle > 0) await clock.sleep(Math.min(idle, lookEvery), waiting.signal);
    }
  };

  const over = work();
  return {
    wake: () => waiting.abort(),
    async stop() {
      stopped.abort();
      waiting.abort();
      await over;
    },
    async lag() {
      return Math.max(0, clock.now() - (await nextDueAt())) / 1000;
    },
  };
}
