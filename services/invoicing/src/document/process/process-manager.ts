import { type Collection, type DocumentStore, type JobQueue, startJobs } from '@svc/document-store';
import { startExclusiveSubscription, type SubscriptionContext } from '@svc/event-store';
import { type BackgroundWork, Counter, jobsWork, subscriptionWork } from '@svc/service';
import type { DocumentContext } from '../context.ts';
import { type BetweenSteps, betweenStepsIndexes, projectBetweenSteps } from './steps.ts';
import type { Process } from './process.ts';

/** Keeps a row for each document between steps, and finishes those that were left there. */
export function processWork(
  context: DocumentContext,
  subscribing: SubscriptionContext,
  documents: DocumentStore,
  processes: readonly Process[],
): BackgroundWork[] {
  const rows = documents.collection<BetweenSteps>('unfinished', { indexes: betweenStepsIndexes });
  const handle = projectBetweenSteps(processes, rows);
  return [
    subscriptionWork('unfinished', () => startExclusiveSubscription({ ...subscribing, name: 'unfinished', handle })),
    jobsWork('due', rows, context.clock, () => startFinishing(context, processes, rows)),
  ];
}

/** How soon a document that could not be finished is tried again. */
const RETRY_MS = 5_000;

/**
 * Brings documents on that were left between steps, by a crash or an outage. Whoever finishes one has looked at its stream: it is at
 * rest, and its row goes, unless the projection has written a later one.
 */
function startFinishing(context: DocumentContext, processes: readonly Process[], collection: Collection<BetweenSteps>): JobQueue {
  const { clock, logger } = context;
  const byCategory = new Map(processes.map((one) => [one.category, one]));

  async function finish(row: BetweenSteps): Promise<void> {
    const { _id, version, account, env, id } = row;
    const kind = byCategory.get(row.category);
    if (!kind) return; // of a later release, which finishes it
    try {
      await kind.finish(context, { account, env, id });
      await collection.write([{ delete: _id, version }]);
    } catch (error) {
      unfinished.inc();
      logger.warn({ document: id, err: error }, 'a document is between steps and could not be brought on; it is tried again');
      await collection.claim({ _id, version }, { set: { due_at: clock.now() + RETRY_MS } });
    }
  }

  return startJobs({
    name: 'unfinished',
    collection,
    clock,
    logger,
    handle: async (rows) => void (await Promise.all(rows.map(finish))),
  });
}

/** A document between steps is tried again every few seconds: one that cannot be brought on counts on and on. */
const unfinished = new Counter({
  name: 'svc_unfinished_failures_total',
  help: 'Documents that a crash or an outage left between steps and that could not be brought on, each time that it was tried',
});
