import { startJobs, type JobQueue } from '@svc/document-store';
import type { WebhooksContext } from '../delivery/context.ts';
import type { DeliveryWorker } from '../delivery/worker.ts';
import type { Recovery } from '../endpoint/recovery.ts';
import { stepOf } from './step.ts';

const AFTER_ERROR_MS = 5_000;
/** For those whose process has died: its own fall due by the clock. */
const LOOK_EVERY_MS = 30_000;
/** Recoveries of one turn: each step of theirs takes some milliseconds. */
const AT_ONCE = 5;

/** Runs the recoveries of all endpoints, a step of each in turn, in any process. */
export function startRecoveries(context: WebhooksContext, { inTurn }: Pick<DeliveryWorker, 'inTurn'>): JobQueue {
  const { recoveries, clock, logger, holder } = context;

  async function run(recovery: Recovery): Promise<void> {
    const { _id, version } = recovery;
    const next = await stepOf(context, recovery, inTurn).catch((error: unknown) => {
      logger.error({ err: error, endpoint: _id }, 'a step of a recovery failed; it is tried again');
      return { due_at: clock.now() + AFTER_ERROR_MS };
    });
    const [stored] = await recoveries.claim({ _id, version }, { set: next });
    // Another version: it was ended, or another process runs it. What it says holds, and what this step has made is looked at once more.
    if (!stored) await recoveries.claim({ _id, status: 'stopped' }, { set: { due_at: clock.now() } });
  }

  return startJobs({
    ...{ name: 'due:recoveries', collection: recoveries, clock, logger, batch: AT_ONCE, lookEvery: LOOK_EVERY_MS, holder },
    async handle(due) {
      for (const recovery of due) await run(recovery);
    },
  });
}
