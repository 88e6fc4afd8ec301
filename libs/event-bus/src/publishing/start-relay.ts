import type { Topic } from '@svc/contracts/events/envelope';
import type { DocumentStore } from '@svc/document-store';
import { startExclusiveSubscription, type Subscription, type SubscriptionContext } from '@svc/event-store';
import type { DeadLetterQueues } from '../dead-letters/queues.ts';
import type { PublishTo, PublicationsFromOptions } from './publication.ts';
import type { Publisher } from './publisher.ts';
import { createRelay, publishesSkipped } from './relay.ts';

export interface Source extends Pick<PublicationsFromOptions, 'restoredUntil'> {
  /** The service that owns the events: `invoicing`. */
  source: string;
  subscribing: SubscriptionContext;
  /** The database of its checkpoints. */
  documents: DocumentStore;
  publishers: readonly Publisher[];
  /**
   * until 0.3: where a bus with a log of its own publishes once more the events of topics that release 0.1.0 published without an entry. `added`: topics that
   * 0.1.0 did not publish to, though it stored events for them: these are published there.
   */
  history?: { topic: Topic; of: readonly Topic[]; added: readonly Topic[] };
  /** Where a bus with a log of its own says until when everything is published: `ReadUntil.stored` of groups that consume it. */
  marks?: Topic;
}

/** Names the lease and the checkpoint; on the embedded bus the checkpoint of each group begins with it. */
export const RELAY = 'publishing';

/** Publishes stored events, from one replica at a time. The checkpoint moves once the bus has them. */
export function startRelay(
  { subscribing, ...source }: Source,
  bus: { publish: PublishTo; deadLetters: DeadLetterQueues },
  name = RELAY,
): Subscription {
  const relaying = { ...source, store: subscribing.store, deadLetters: bus.deadLetters, publish: bus.publish };
  publishesSkipped(relaying);
  return startExclusiveSubscription({ ...subscribing, name, handle: createRelay(relaying) });
}
