import { startJobs, type JobQueue } from '@svc/document-store';
import type { WebhooksContext } from '../delivery/context.ts';
import type { Recovery } from '../endpoint/recovery.ts';
import { stepOf } from './step.ts';

const AFTER_ERROR_MS = 5_000;
/** Recoveries of one turn: each step of theirs takes some milliseconds. */
const AT_ONCE = 20;

/** Runs the recoveries of all endpoints, a step of each in turn, in any process. `wake`: deliveries were handed over. */
export function startRecoveries(context: WebhooksContext, wake: () => void): JobQueue {
  const { recoveries, clock, logger, lookEvery } = context;

  async function run(recovery: Recovery): Promise<void> {
    const { _id, version } = recovery;
    const next = await stepOf(context, recovery, wake).catch((error: unknown) => {
      logger.error({ err: error, endpoint: _id }, 'a step of a recovery failed; it is tried again');
      return { due_at: clock.now() + AFTER_ERROR_MS };
    });
    // Another version: it was ended, or another process runs it. What it says now holds.
    await recoveries.claim({ _id, version }, { set: next });
  }

  return startJobs({
    ...{ name: 'due:recoveries', collection: recoveries, clock, logger, lookEvery, batch: AT_ONCE },
    async handle(due) {
      for (const recovery of due) await run(recovery);
    },
  });
}
