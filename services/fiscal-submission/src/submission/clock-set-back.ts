import type { Collection, Job } from '@svc/document-store';
import { type Clock, monotonicMs } from '@svc/kernel';
import type { BackgroundWork, Logger } from '@svc/service';
import { makeAllDue } from './due-now.ts';

const LOOK_EVERY_MS = 10_000;
/** A clock that is set back by less delays nothing for long. */
const LEAST_MS = 60_000;
/** Until when what a process has claimed by the earlier time is written anew: no call lasts longer. */
const CLAIMED_MS = 60_000;

interface Options {
  /** What waits for authorities. */
  waiting: readonly Pick<Collection<Job>, 'claim'>[];
  clock: Pick<Clock, 'now' | 'sleep'>;
  logger: Logger;
  /** Divides waits. */
  timeScale: number;
}

/**
 * What a clock that was ahead has had wait would wait by as much longer once it is set back. The monotonic clock shows that it was: then all that waits for longer than
 * the clock was set back is tried once more, as after a wait that was too long.
 */
export const clockSetBack = ({ waiting, clock, logger, timeScale }: Options): BackgroundWork => ({
  name: 'clock-set-back',
  start() {
    const stopping = new AbortController();
    const { signal } = stopping;
    const difference = (): number => clock.now() - monotonicMs();
    async function run(): Promise<void> {
      let before = difference();
      while (!signal.aborted) {
        await clock.sleep(LOOK_EVERY_MS / timeScale, signal);
        const back = before - difference();
        before -= back;
        if (back < LEAST_MS) continue;
        logger.warn({ back_seconds: Math.round(back / 1_000) }, 'the clock was set back; what waits by the time before is tried again');
        await clock.sleep(CLAIMED_MS / timeScale, signal);
        if (signal.aborted) return;
        const now = clock.now();
        const from = now + Math.max(CLAIMED_MS, back - CLAIMED_MS);
        await makeAllDue(waiting, { due_at: { $gt: from } }, now).catch((error: unknown) => {
          before += back; // Tried again.
          logger.error({ err: error }, 'what waits by the time before the clock was set back could not be made due');
        });
      }
    }
    const running = run();
    return {
      async stop() {
        stopping.abort();
        await running;
      },
    };
  },
});
