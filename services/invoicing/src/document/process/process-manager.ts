import type { DocumentStore } from '@svc/document-store';
import { startExclusiveSubscription, type SubscriptionContext } from '@svc/event-store';
import { jobsWork, subscriptionWork, type BackgroundWork } from '@svc/service';
import type { DocumentContext } from '../context.ts';
import { betweenStepsIndexes, projectBetweenSteps, type BetweenSteps } from './between-steps.ts';
import { startFinishing } from './finish-due.ts';
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
