import type { Clock } from '@svc/kernel';

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 10_000;

/** Repeats `work` until it succeeds, after each error with a longer delay; undefined when `stopped` aborts first. `work` logs its own errors. */
export async function retry<T>(work: () => Promise<T>, clock: Clock, stopped: AbortSignal): Promise<T | undefined> {
  for (let delay = FIRST_DELAY_MS; !stopped.aborted; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
    try {
      return await work();
    } catch {
      await clock.sleep(delay, stopped);
    }
  }
  return undefined;
}
