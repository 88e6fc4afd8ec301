import type { Collection, DocumentStore, Filter, Index } from '@svc/document-store';
import type { Turn } from '@svc/kernel';
import { startExclusiveSubscription, type SubscriptionContext } from '../subscription/exclusive-subscription.ts';
import { createReadBarrier } from '../subscription/read-barrier.ts';
import type { Subscription } from '../subscription/subscription.ts';
import { createChanges, type Tenant } from './changes.ts';
import { earlierRows } from './earlier-rows.ts';
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
  /** What `Projections.serveEarlier` has started. */
  earlier?: EarlierProjection<R>;
}

/** The read model of the release before this one, kept up to date for lists until the one of this release is built. */
export type EarlierProjection<R extends Row> = Omit<RunningProjection<R>, 'earlier'>;

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

/**
 * Goes on with the read model of the release before, by the rows of this one. The rows that it has stay as they are, so that lists by `newFields` cannot be
 * read from it; it gets no indexes of these. Its rows show resources of this release.
 */
export function runEarlier<R extends Row>(
  { newFields = [], indexes, ...rest }: Projection<R>,
  name: string,
  documents: DocumentStore,
  context: SubscriptionContext,
): EarlierProjection<R> {
  const lacking = (index: Index): boolean => index.fields.some((field) => newFields.includes(field));
  const projection = { ...rest, newFields, name, indexes: indexes.filter((index) => !lacking(index)) };
  const running = runProjection(projection, documents, context);
  return { ...running, rows: earlierRows(running.rows, projection, context.store) };
}
