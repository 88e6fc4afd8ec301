import type { Collection, Doc } from '@svc/document-store';
import type { Clock, Position } from '@svc/kernel';

/** The position up to which the subscription `_id` has handled everything, as decimal text. Its version rises with it: an older one never overwrites. */
export interface Checkpoint extends Doc {
  position: string;
}

export interface CheckpointOptions {
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
