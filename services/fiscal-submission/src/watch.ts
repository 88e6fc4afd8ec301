import { type Collection, type Job, type JobQueue, startJobs } from '@svc/document-store';
import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';

/** A look at what time alone brings about. `_id`: its name. */
export type Watch = Job;

interface Watching {
  watches: Collection<Watch>;
  clock: Clock;
  logger: Logger;
  everyMs: number;
  /** Whether all was done: what fails is looked at again in a minute. */
  look(): Promise<boolean>;
}

const AFTER_ERROR_MS = 60_000;

/** Looks from time to time, in one process; another one goes on where it dies. */
export function startWatch(name: string, { watches, clock, logger, everyMs, look }: Watching): Pick<JobQueue, 'stop'> {
  const stopped = new AbortController();
  const queue = begin().then(() =>
    stopped.signal.aborted ? undefined : startJobs({ name, collection: watches, clock, logger, lookEvery: everyMs, handle }),
  );

  async function begin(): Promise<void> {
    while (!stopped.signal.aborted)
      try {
        await watches.insert({ _id: name, version: 1, due_at: clock.now() });
        return;
      } catch (error) {
        logger.error({ err: error, watch: name }, 'a watch could not begin; it is tried again');
        await clock.sleep(AFTER_ERROR_MS, stopped.signal);
      }
  }
  async function handle(due: Watch[]): Promise<void> {
    for (const { _id, version } of due) {
      const isDone = await look().catch((error: unknown) => {
        logger.error({ err: error, watch: name }, 'a watch could not look through everything; it is tried again');
        return false;
      });
      await watches.claim({ _id, version }, { set: { due_at: clock.now() + (isDone ? everyMs : AFTER_ERROR_MS) } });
    }
  }
  return {
    async stop() {
      stopped.abort();
      await (await queue)?.stop();
    },
  };
}
