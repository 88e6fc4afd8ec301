import { systemClock } from '../clock.ts';

/** Waits in real time until `condition` holds. Throws after `withinMs`. */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  const deadline = systemClock.now() + withinMs;
  while (!(await condition())) {
    if (systemClock.now() > deadline) throw new Error(`not within ${withinMs} ms: ${condition}`);
    await systemClock.sleep(2);
  }
}
