import { startJobs } from '@svc/document-store';
import { LRUCache } from 'lru-cache';
import type { WebhooksContext } from '../delivery/context.ts';
import type { DeliveryWorker, Recovering } from '../delivery/worker.ts';
import type { Recovery } from '../endpoint/recovery.ts';
import { stepOf } from './step.ts';

const AFTER_ERROR_MS = 5_000;
/** For those whose process has died: its own fall due by the clock. */
const LOOK_EVERY_MS = 30_000;
/** Recoveries of one turn: each step of theirs takes some milliseconds. */
const AT_ONCE = 5;
/** Recoveries whose next steps are known: of others, it is when it falls due. */
const KNOWN = 1_000;

/** Runs the recoveries of all endpoints, a step of each in turn, in any process. */
export function startRecoveries(context: WebhooksContext, { inTurn, written }: Pick<DeliveryWorker, 'inTurn' | 'written'>): Recovering {
  const { recoveries, clock, logger, holder } = context;
  /** When the next step is, by endpoint, where this process has stored it and makes none. */
  const next = new LRUCache<string, number>({ max: KNOWN });

  /** A fast endpoint does not wait for the look at what is in hand. Another process that has begun the step has changed its time. */
  async function goOn(endpoint: string): Promise<void> {
    await written();
    const due_at = next.get(endpoint);
    if (due_at === undefined || !inTurn.isDone(endpoint)) return;
    next.delete(endpoint);
    const [due] = await recoveries.claim({ _id: endpoint, due_at }, { set: { due_at: clock.now() } });
    if (due) jobs.wake();
  }
  const goOnSoon = (endpoint: string): void =>
    void goOn(endpoint).catch((error: unknown) => logger.error({ err: error, endpoint }, 'a recovery goes on at its next look'));

  async function run(recovery: Recovery): Promise<void> {
    const { _id, version } = recovery;
    next.delete(_id);
    const change = await stepOf(context, recovery, inTurn).catch((error: unknown) => {
      logger.error({ err: error, endpoint: _id }, 'a step of a recovery failed; it is tried again');
      return { due_at: clock.now() + AFTER_ERROR_MS };
    });
    const [stored] = await recoveries.claim({ _id, version }, { set: change });
    // Another version: it was ended, or another process runs it. What it says holds, and what this step has made is looked at once more.
    if (!stored) await recoveries.claim({ _id, status: 'stopped' }, { set: { due_at: clock.now() } });
    else if (stored.due_at !== null) next.set(_id, stored.due_at);
    if (inTurn.isDone(_id)) goOnSoon(_id);
  }

  const jobs = startJobs({
    ...{ name: 'due:recoveries', collection: recoveries, clock, logger, batch: AT_ONCE, lookEvery: LOOK_EVERY_MS, holder },
    async handle(due) {
      for (const recovery of due) await run(recovery);
    },
  });
  return { ...jobs, goOn: goOnSoon };
}
