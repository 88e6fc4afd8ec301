import type { Collection, DocumentStore } from '@svc/document-store';
import { startExclusiveSubscription, type SubscriptionContext } from '../subscription/exclusive-subscription.ts';
import { createReadBarrier } from '../subscription/read-barrier.ts';
import type { Subscription } from '../subscription/subscription.ts';
import { foldRows } from './fold-rows.ts';
import type { Projection, Row } from './projection.ts';

/** A projection that this replica or another keeps up to date. */
export interface RunningProjection<R extends Row> {
  projection: Projection<R>;
  rows: Collection<R>;
  /** Resolves when the rows hold everything that was acknowledged before the call; throws `service_unavailable` after 5 s. */
  barrier(): Promise<void>;
  subscription: Subscription;
}

export function runProjection<R extends Row>(
  projection: Projection<R>,
  documents: DocumentStore,
  context: SubscriptionContext,
): RunningProjection<R> {
  const { name, ordinals } = projection;
  const indexes = ordinals ? [...projection.indexes, { fields: ['account', 'env', 'ordinal'], unique: true }] : projection.indexes;
  const rows = documents.collection<R>(name, { indexes, texts: ['resource'] });
  const handle = foldRows({ projection, rows, store: context.store, logger: context.logger });
  const subscription = startExclusiveSubscription({ ...context, name, handle, saveWithin: 0 });
  return { projection, rows, subscription, barrier: createReadBarrier({ store: context.store, subscription, clock: context.clock }) };
}
