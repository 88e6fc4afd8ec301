import { retry, type Clock } from '@svc/kernel';
import type { Job } from './jobs.ts';
import type { Collection, Condition } from './port.ts';

/** That the clock was set back. */
export interface SetBack {
  /** By how much, in whole milliseconds. */
  ms: number;
  clock: Clock;
  logger: { error(fields: object, message: string): void };
  /** Ends the work. */
  stopped: AbortSignal;
}

/** Jobs of one read. */
const AT_ONCE = 200;
/** What is due by then may be a process's claim. */
const CLAIMED_MS = 60_000;

/**
 * After the clock was set back: has jobs wait by so much less, so that none waits for longer than was meant, and none for less. `moved`: what is changed of one beside
 * `due_at`; `earlier` moves a time, but not before now. What processes have claimed meanwhile stays.
 */
export async function moveJobsBack<D extends Job>(
  jobs: Pick<Collection<D>, 'find' | 'claim'>,
  { ms, clock, logger, stopped }: SetBack,
  moved: (job: D, earlier: (at: number) => number) => Partial<D> = () => ({}),
): Promise<void> {
  const now = clock.now();
  const earlier = (at: number): number => (at > now ? Math.max(now, at - ms) : at);
  const move = (job: D): Promise<D[]> => {
    const { _id, version, due_at } = job;
    return jobs.claim({ _id, version }, { set: { due_at: earlier(due_at ?? now), ...moved(job, earlier) } as Partial<D> });
  };
  const logged = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      logger.error({ err: error }, 'what waits by the time before the clock was set back could not be moved; it is tried again');
      throw error;
    });
  let from: Condition | undefined = { $gt: now + CLAIMED_MS };
  while (from !== undefined && !stopped.aborted) {
    const filter = { due_at: from };
    const read = (): Promise<D[]> => Array.fromAsync(jobs.find(filter, { sort: { due_at: 1 }, limit: AT_ONCE }));
    const some = (await retry(() => logged(read()), clock, stopped)) ?? [];
    await Promise.all(some.map((job) => retry(() => logged(move(job)), clock, stopped)));
    const last = some.at(-1)?.due_at;
    from = last === undefined || last === null ? undefined : { $gte: last };
  }
}
