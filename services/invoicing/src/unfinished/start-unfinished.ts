import type { Collection, Documents } from '@svc/document-store';
import { startExclusiveSubscription, type Subscription, type SubscriptionContext } from '@svc/event-store';
import type { InvoicingContext } from '../context.ts';
import { startFinishing } from './finish-due.ts';
import { projectUnfinished, unfinishedIndexes, type Unfinished } from './unfinished.ts';
import type { Watched } from './watched.ts';

export interface RunningUnfinished {
  rows: Collection<Unfinished>;
  subscription: Subscription;
  stop(): Promise<void>;
}

/** Keeps account of documents between steps, and finishes those that were left there. */
export function startUnfinished(
  context: InvoicingContext,
  subscribing: SubscriptionContext,
  documents: Documents,
  watched: readonly Watched[],
): RunningUnfinished {
  const rows = documents.collection<Unfinished>('unfinished', { indexes: unfinishedIndexes });
  const handle = projectUnfinished(watched, rows);
  const subscription = startExclusiveSubscription({ ...subscribing, name: 'unfinished', handle });
  const work = startFinishing(context, watched, rows);
  return {
    rows,
    subscription,
    async stop() {
      await work.stop();
      await subscription.stop();
    },
  };
}
