import type { Collection, Doc } from '@svc/document-store';
import type { Clock, Position } from '@svc/kernel';

/** The position up to which the subscription `_id` has handled everything, as decimal text. Its version rises with it: an older one never overwrites. */
export interface Checkpoint extends Doc {
  position: string;
}

interface CheckpointOptions {
  name: string;
  checkpoints: Collection<Checkpoint>;
  clock: Clock;
  from: Position;
  /** Milliseconds that a position may stay unsaved. */
  saveWithin: number;
  failed: (error: unknown) => void;
}

/** While there is history to read, no reader waits for a position. */
const READING_MS = 20;
const RETRY_MS = 1_000;

/**
 * Saves a subscription's position: one save in flight, always of the newest position, at the same times as the others of the process, with which it
 * shares a commit. It may fail: the subscription then repeats more after a crash.
 */
export function startCheckpoint({ name, checkpoints, clock, from, saveWithin, failed }: CheckpointOptions) {
  let latest = from;
  let saved = from;
  /** To be saved without delay. */
  let due = from;
  let saving: Promise<void> | undefined;
  let cancel: (() => void) | undefined;
  let stopped = false;

  async function saveDue(): Promise<void> {
    try {
      while (saved < due) {
        const position = latest;
        await checkpoints.write([{ put: { _id: name, version: Number(position) + 1, position: String(position) } }]);
        saved = position;
      }
    } catch (error) {
      failed(error);
      if (!stopped) cancel ??= clock.after(RETRY_MS, flush);
    }
    saving = undefined;
  }

  function flush(): void {
    cancel?.();
    cancel = undefined;
    due = latest;
    if (saved < due) saving ??= saveDue();
  }

  return {
    save(position: Position, caughtUp: boolean): void {
      latest = position;
      const within = caughtUp ? saveWithin : Math.max(saveWithin, READING_MS);
      if (within === 0) flush();
      else cancel ??= clock.after(within - (clock.now() % within), flush);
    },

    async stop(): Promise<void> {
      stopped = true;
      flush();
      await saving;
    },
  };
}

interface Waiter {
  for: Position;
  done(reached: boolean): void;
}

/** Callers that wait until a position is reached. */
export function positionWaiters(clock: Clock) {
  let at: Position = 0n;
  const waiting = new Set<Waiter>();
  let hurry: (() => void) | undefined;

  return {
    position: (): Position => at,

    /** Never decreases. */
    advance(position: Position): void {
      if (position > at) at = position;
      for (const waiter of waiting) if (waiter.for <= at) waiter.done(true);
    },

    waitFor(position: Position, withinMs: number): Promise<boolean> {
      if (position <= at) return Promise.resolve(true);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          for: position,
          done(reached) {
            waiting.delete(waiter);
            cancel();
            resolve(reached);
          },
        };
        const cancel = clock.after(withinMs, () => waiter.done(false));
        waiting.add(waiter);
        hurry?.();
      });
    },

    /** Resolves after `ms`, or as soon as a caller waits or the signal aborts. */
    quiet(ms: number, signal: AbortSignal): Promise<void> {
      if (waiting.size > 0 || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          hurry = undefined;
          cancel();
          signal.removeEventListener('abort', done);
          resolve();
        };
        const cancel = clock.after(ms, done);
        signal.addEventListener('abort', done, { once: true });
        hurry = done;
      });
    },
  };
}
