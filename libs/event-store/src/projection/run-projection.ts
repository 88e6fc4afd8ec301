import type { Collection, DocumentStore, Filter, Index } from '@svc/document-store';
import { jsonText, statesAfter, streamOf, type Streams, type Turn } from '@svc/kernel';
import { startExclusiveSubscription, type SubscriptionContext } from '../subscription/exclusive-subscription.ts';
import { createReadBarrier, type ReadBarrier } from '../subscription/read-barrier.ts';
import type { Subscription } from '../subscription/subscription.ts';
import { createChanges, type Tenant } from './changes.ts';
import { foldRows, knownEvents } from './fold-rows.ts';
import { createMatches, type Matches } from './matches.ts';
import type { Projection, Row } from './projection.ts';

/** A projection that this replica or another keeps up to date. */
export interface RunningProjection<R extends Row> {
  projection: Projection<R>;
  rows: Collection<R>;
  /** How many rows match a filter; only in projections with `ordinals`. See `createMatches`. */
  matches(tenant: Tenant, filter: Filter, turn: Turn): Promise<Matches>;
  /** Resolves when the rows hold everything that was acknowledged before the call; throws `service_unavailable` after 10 s. */
  barrier: ReadBarrier['barrier'];
  /** As `barrier`, for lists. */
  asOf: ReadBarrier['asOf'];
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
  const changes = createChanges(() => subscription.epoch());
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
    ...createReadBarrier({
      ...{ store: context.store, subscription, clock: context.clock },
      readable: () => context.checkpoints.get(name),
    }),
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

/**
 * Rows of the read model of the release before this one, for lists while the one of this release is being built. No release ends this: rows are found as they are stored there, and each
 * resource is made of the events, as this release shows it. Of whichever release was the last: `newFields` of a projection names the one that ends it there.
 */
export function earlierRows<R extends Row>(
  rows: Collection<R>,
  projection: Projection<R>,
  store: Pick<Streams, 'read' | 'tail'>,
): Collection<R> {
  const states = statesAfter(store);
  const fold = knownEvents(projection);

  async function shown(row: R): Promise<R[]> {
    const [last] = await store.tail(streamOf(projection.category, row.env, row.account, row._id), 1);
    if (!last) return [];
    const { state } = await states.after(last, fold);
    return fold.row(state, last) ? [{ ...row, resource: jsonText(fold.resource(state, last)) }] : [];
  }

  async function eachShown(found: readonly R[]): Promise<R[]> {
    const docs: R[] = [];
    for (const row of found) docs.push(...(await shown(row)));
    return docs;
  }

  return {
    ...rows,
    async page(filter, query, bytes) {
      const { docs, left } = await rows.page(filter, query, bytes);
      return { docs: await eachShown(docs), left };
    },
    async *read(ids, filter, bytes) {
      for await (const found of rows.read(ids, filter, bytes)) yield await eachShown(found);
    },
  };
}
