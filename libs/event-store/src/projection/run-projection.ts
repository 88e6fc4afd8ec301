import type { Collection, DocumentStore, Filter } from '@svc/document-store';
import { categoryOf, type Turn } from '@svc/kernel';
import { LRUCache } from 'lru-cache';
import { startExclusiveSubscription, type SubscriptionContext } from '../subscription/exclusive-subscription.ts';
import { createReadBarrier } from '../subscription/read-barrier.ts';
import type { Subscription } from '../subscription/subscription.ts';
import { foldRows } from './fold-rows.ts';
import { createMatches, type Matches, type Tenant } from './matches.ts';
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
  /** The position of the last event of an account that this process folded. */
  const changes = new LRUCache<string, bigint>({ max: CHANGES });
  const subscription = startExclusiveSubscription({
    ...context,
    name,
    saveWithin: 0,
    async handle(events) {
      await fold(events);
      for (const { stream, metadata, position } of events)
        if (categoryOf(stream) === projection.category) changes.set(keyOf(metadata), position);
    },
  });
  const lastChange = (tenant: Tenant): string | undefined => {
    const term = subscription.term();
    const last = changes.get(keyOf(tenant)) ?? (changes.size < CHANGES ? 0n : undefined); // unknown once accounts have been forgotten
    return term === undefined || last === undefined ? undefined : `${term} ${last}`;
  };
  return {
    projection,
    rows,
    subscription,
    matches: createMatches(rows, lastChange),
    barrier: createReadBarrier({ store: context.store, subscription, clock: context.clock }),
  };
}

/** Accounts whose last change is remembered. */
const CHANGES = 10_000;
const keyOf = ({ account, env }: Tenant): string => `${env} ${account}`;
