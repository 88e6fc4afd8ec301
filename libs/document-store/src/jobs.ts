import { hash } from 'node:crypto';
import type { Clock } from '@svc/kernel';
import type { Collection, Doc } from './port.ts';

/** A document with work that is due at a time. */
export interface Job extends Doc {
  /** Milliseconds since 1970; null: nothing to do. The collection declares the index `['due_at']`. */
  due_at: number | null;
  held?: Held | null;
}

/** The process that claimed a job last, by a short name, and the end of the claim: the job is claimed while its `due_at` is that. */
export interface Held {
  by: string;
  until: number;
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
  /** Names this process. Where an earlier one had the same name, so that it runs no more, what it had claimed is due at once. */
  holder?: string;
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
/** Jobs of one write of `releaseHeld`. */
const RELEASED = 200;

/** What a claim writes, for a holder who is named. */
export const heldBy = (holder: string, until: number): { due_at: number; held: Held } => ({
  due_at: until,
  held: { by: shortOf(holder), until },
});

const shortOf = (holder: string): string => hash('sha256', holder, 'base64url').slice(0, 8);

/** Makes due what an earlier process of this name had claimed. It reads what is due within `claimMs`. */
export async function releaseHeld<D extends Job>(
  collection: Collection<D>,
  { holder, clock, claimMs = CLAIM_MS }: { holder: string; clock: Clock; claimMs?: number },
): Promise<void> {
  const now = clock.now();
  const by = shortOf(holder);
  const release = (ids: string[]): Promise<D[]> =>
    collection.claim({ _id: { $in: ids }, due_at: { $gt: now } }, { set: { due_at: now } as Partial<D> });
  let ids: string[] = [];
  for await (const { _id, due_at, held } of collection.find({ due_at: { $gt: now, $lte: now + claimMs } }, { sort: { due_at: 1 } })) {
    if (held?.by !== by || held.until !== due_at) continue;
    if (ids.push(_id) < RELEASED) continue;
    await release(ids);
    ids = [];
  }
  if (ids.length > 0) await release(ids);
}

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
  holder,
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
      { set: (holder === undefined ? { due_at: now + CLAIM_MS } : heldBy(holder, now + CLAIM_MS)) as Partial<D> },
      { sort: { due_at: 1 }, limit: batch },
    );
    if (due.length > 0) await handle(due);
    return 0;
  };

  const work = async (): Promise<void> => {
    if (holder !== undefined)
      await releaseHeld(collection, { holder, clock }).catch((error: unknown) =>
        logger.error({ work: name, err: error }, 'jobs of an earlier process are due only when its claims end'),
      );
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
