import { systemClock } from '../clock.ts';

/** Waits until `condition` holds: real time, for adapters that take some. */
export async function until(condition: () => boolean, withinMs = 60_000): Promise<void> {
  const deadline = systemClock.now() + withinMs;
  while (!condition()) {
    if (systemClock.now() > deadline) throw new Error(`not within ${withinMs} ms: ${condition}`);
    await systemClock.sleep(2);
  }
}
