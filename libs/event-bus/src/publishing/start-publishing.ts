import type { DocumentStore } from '@svc/document-store';
import { startExclusiveSubscription, type Subscription, type SubscriptionContext } from '@svc/event-store';
import { EmbeddedBus } from '../embedded-bus.ts';
import type { EventBus } from '../port.ts';
import { startGroupFeeds } from './group-feeds.ts';
import type { KnownGroup } from './backlog.ts';
import type { Publisher } from './publisher.ts';
import type { PublicationsFromOptions } from './publications-from.ts';
import { createRelay, keepsLeftOut } from './relay.ts';

export interface RelayingOptions extends Pick<PublicationsFromOptions, 'restoredUntil'> {
  /** The service that owns the events: `invoicing`. */
  source: string;
  subscribing: SubscriptionContext;
  bus: Pick<EventBus, 'publish' | 'letters'>;
  publishers: readonly Publisher[];
}

/** Names the checkpoint and the lease. */
const RELAY = 'publishing';
/** A batch is handled in some milliseconds here, and webhooks are sent after it. */
const GATHER_MOST_MS = 20;

/** Publishes stored events, from one replica at a time. The checkpoint moves once the bus has them. */
export function startRelay({ subscribing, bus, ...options }: RelayingOptions): Subscription {
  const relaying = { ...options, store: subscribing.store, letters: bus.letters, publish: bus.publish.bind(bus) };
  keepsLeftOut(relaying);
  return startExclusiveSubscription({ ...subscribing, name: RELAY, handle: createRelay(relaying) });
}

/** The same for the embedded bus, which stores nothing: a group that is new or slow is fed by a subscription of its own. */
export function startPublishing({
  documents,
  bus,
  ...options
}: RelayingOptions & { bus: EventBus; documents: DocumentStore }): Subscription {
  if (!(bus instanceof EmbeddedBus)) return startRelay({ ...options, bus });
  const { subscribing, ...published } = options;
  const known = documents.collection<KnownGroup>('consumer_groups');
  const feeds = startGroupFeeds({ ...options, bus, known, relay: RELAY });
  const relaying = { ...published, store: subscribing.store, letters: bus.letters };
  keepsLeftOut({ ...relaying, publish: bus.publish.bind(bus) });
  const relay = createRelay({ ...relaying, publish: feeds.publish });
  const subscription = startExclusiveSubscription({
    ...subscribing,
    name: RELAY,
    gatherMost: GATHER_MOST_MS,
    async handle(events) {
      await relay(events);
      feeds.endOfBatch();
    },
  });
  return {
    ...subscription,
    async stop() {
      await feeds.stop();
      await subscription.stop();
    },
  };
}
