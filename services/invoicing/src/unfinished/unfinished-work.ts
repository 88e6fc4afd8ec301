import type { Documents } from '@svc/document-store';
import { startExclusiveSubscription, type SubscriptionContext } from '@svc/event-store';
import { jobsWork, subscriptionWork, type BackgroundWork } from '@svc/service';
import type { InvoicingContext } from '../context.ts';
import { startFinishing } from './finish-due.ts';
import { projectUnfinished, unfinishedIndexes, type Unfinished } from './unfinished.ts';
import type { Watched } from './watched.ts';

/** Keeps a row for each document between steps, and finishes those that were left there. */
export function unfinishedWork(
  context: InvoicingContext,
  subscribing: SubscriptionContext,
  documents: Documents,
  watched: readonly Watched[],
): BackgroundWork[] {
  const rows = documents.collection<Unfinished>('unfinished', { indexes: unfinishedIndexes });
  const handle = projectUnfinished(watched, rows);
  return [
    subscriptionWork('unfinished', () => startExclusiveSubscription({ ...subscribing, name: 'unfinished', handle })),
    jobsWork('due', rows, context.clock, () => startFinishing(context, watched, rows)),
  ];
}
