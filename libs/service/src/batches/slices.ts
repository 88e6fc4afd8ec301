import type { Clock } from '@svc/kernel';

/** Work without a break, in milliseconds: other requests wait this long, and what is written in it shares a commit. */
const SLICE_MS = 8;
/** Work under way, by the time that its first steps took: their next steps may all come in one turn of the event loop. */
const MOST_OPEN_MS = 20;

export interface Slicing {
  clock: Pick<Clock, 'now'>;
  /** Awaited between slices. */
  turn(): Promise<void>;
  /** While it is true of the number of pieces under way, none is started. */
  mayBeFull(underWay: number): boolean;
}

/**
 * Starts `count` pieces of work in their order, each without waiting for the end of the former. Those of one slice start in one turn of the event
 * loop. `work` does not reject.
 */
export async function inSlices(count: number, work: (index: number) => Promise<void>, { clock, turn, mayBeFull }: Slicing): Promise<void> {
  const open = new Set<Promise<void>>();
  let [sliceMs, openMs] = [0, 0];
  let now = clock.now();
  for (let index = 0; index < count; index += 1) {
    while (open.size > 0 && mayBeFull(open.size)) {
      await Promise.race(open);
      now = clock.now();
    }
    const done = work(index);
    await untilItWaits();
    const before = now;
    now = clock.now();
    const ms = Math.max(0, now - before);
    sliceMs += ms;
    openMs += ms;
    const ended = done.then(() => {
      openMs -= ms;
      open.delete(ended);
    });
    open.add(ended);
    if (sliceMs < SLICE_MS && openMs < MOST_OPEN_MS) continue;
    await turn();
    while (openMs >= MOST_OPEN_MS) await Promise.race(open);
    sliceMs = 0;
    now = clock.now();
  }
  await Promise.all(open);
}

/** Resolves when all that has begun waits for something outside of this turn of the event loop. */
const untilItWaits = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
