import { createFairQueue, monotonicMs } from '@svc/kernel';

/** Of a turn of the event loop. */
const TURN_MS = 5;
/** More than there are permits of attempts. */
const MOST = 16_384;

/** Runs a job of this account when its turn comes. */
export type ParsingTurns = (account: string, job: () => void) => void;

/**
 * Pieces of long answers are parsed for accounts in turn, and some milliseconds in each turn of the event loop: however many come at once, everything else
 * goes on between them. What reads a stream does so when the callbacks of the job's tick have ended, before the next job.
 */
export function createParsingTurns(): ParsingTurns {
  const queue = createFairQueue<() => void>({ waitingInAll: MOST, waitingPerAccount: MOST, known: 1_000 });
  let isRunning = false;

  const run = (until: number): void => {
    const next = queue.take();
    isRunning = next !== undefined;
    if (!next) return;
    const before = monotonicMs();
    next.job();
    process.nextTick(() => {
      const now = monotonicMs();
      queue.charge(next.account, now - before);
      if (now < until) run(until);
      else setImmediate(begin);
    });
  };
  const begin = (): void => run(monotonicMs() + TURN_MS);

  return (account, job) => {
    queue.add(account, job);
    if (!isRunning) setImmediate(begin);
    isRunning = true;
  };
}
