import type { Collection, DocumentStore, Filter } from '@svc/document-store';
import type { Turn } from '@svc/kernel';
import { startExclusiveSubscription, type SubscriptionContext } from '../subscription/exclusive-subscription.ts';
import { createReadBarrier } from '../subscription/read-barrier.ts';
import type { Subscription } from '../subscription/subscription.ts';
import { createChanges, type Tenant } from './changes.ts';
import { foldRows } from './fold-rows.ts';
import { createMatches, type Matches } from './matches.ts';
import type { Projection, Row } from './projection.ts';

/** A projection that this replica or another keeps up to date. */
export interface RunningProjection<R extends Row> {
  projection: Projection<R>;
  rows: Collection<R>;
  /** How many rows match a filter; only in projections with `ordinals`. See `createMatches`. */
  matches(tenant: Tenant, filter: Filter, turn: Turn): Promise<Matches>;
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
  const fold = foldRows({ projection, rows, store: context.store, logger: context.logger });
  const changes = createChanges(() => subscription.term());
  const subscription = startExclusiveSubscription({
    ...context,
    name,
    saveWithin: 0,
    handle: async (events) => changes.wrote(await fold(events)),
  });
  return {
    projection,
    rows,
    subscription,
    matches: createMatches(rows, changes),
    barrier: createReadBarrier({ store: context.store, subscription, clock: context.clock }),
  };
}
