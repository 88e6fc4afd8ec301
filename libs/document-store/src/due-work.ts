import type { Clock } from '@svc/kernel';
import type { Collection, Doc } from './port.ts';

/** A document with work to be done on it at a time. */
export interface Due extends Doc {
  /** Milliseconds since 1970; null: nothing to do. The collection declares the index `['due_at']`. */
  due_at: number | null;
}

export interface DueWorkOptions<D extends Due> {
  name: string;
  collection: Collection<D>;
  clock: Clock;
  /**
   * Does the work and writes each document's next `due_at` (or null) over the version that it was given. What it leaves unwritten,
   * or was given when it threw, comes again a minute after it was claimed; so does what takes longer than that.
   */
  handle: (docs: D[]) => Promise<void>;
  /** At most so many documents at once. */
  batch?: number;
  /** How often to look for what other processes wrote, in milliseconds; what falls due by the clock or is poked never waits for it. */
  lookEvery?: number;
  logger: { error(fields: object, message: string): void };
}

export interface DueWork {
  /** Something is due now: does not wait for the next poll. */
  poke(): void;
  /** Takes nothing more; resolves when the work in hand is done. */
  stop(): Promise<void>;
  /** For how many seconds the oldest due document has been waiting; 0 when none is. */
  lag(): Promise<number>;
}

const CLAIM_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
const AFTER_ERROR_MS = 1_000;

/**
 * Works on what falls due, oldest first, one batch after the other. It wakes at the very time of the next document, when poked, and
 * every `lookEvery` for what other processes wrote (by default once a second). Any number of workers may share a collection: each document is claimed by one.
 */
export function startDueWork<D extends Due>({
  name,
  collection,
  clock,
  handle,
  batch = 200,
  lookEvery = LOOK_EVERY_MS,
  logger,
}: DueWorkOptions<D>): DueWork {
  const stopped = new AbortController();
  let wake = new AbortController();

  const next = async (): Promise<number> => {
    for await (const { due_at } of collection.find({ due_at: { $gte: 0 } }, { sort: { due_at: 1 }, limit: 1 })) return due_at ?? Infinity;
    return Infinity;
  };

  /** Does what is due; answers how long nothing more will be. */
  const turn = async (): Promise<number> => {
    const now = clock.now();
    const at = await next();
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
      wake = new AbortController();
      const idle = await turn().catch((error: unknown) => {
        logger.error({ work: name, err: error }, 'due work failed; it is tried again');
        return AFTER_ERROR_MS;
      });
      if (stopped.signal.aborted) return;
      if (idle > 0) await clock.sleep(Math.min(idle, lookEvery), wake.signal);
    }
  };

  const over = work();
  return {
    poke: () => wake.abort(),
    async stop() {
      stopped.abort();
      wake.abort();
      await over;
    },
    async lag() {
      return Math.max(0, clock.now() - (await next())) / 1000;
    },
  };
}
