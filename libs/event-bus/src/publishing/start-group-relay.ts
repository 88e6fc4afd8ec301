import { startExclusiveSubscription, type Subscription } from '@svc/event-store';
import type { KnownGroup } from './backlog.ts';
import { startGroupFeeds, type FedGroups } from './group-feeds.ts';
import type { PublishTo } from './publication.ts';
import { createRelay, publishesSkipped } from './relay.ts';
import { RELAY, type Source } from './start-relay.ts';

/** A batch is handled in some milliseconds here, and webhooks are sent after it. */
const GATHER_MOST_MS = 20;

/** Publishes stored events to a bus that stores nothing: a group that is new or slow is fed by a subscription of its own. */
export function startGroupRelay(source: Source, bus: FedGroups & { publish: PublishTo }): Subscription {
  const { documents, subscribing, topics, ...published } = source;
  const known = documents.collection<KnownGroup>('consumer_groups');
  const feeds = startGroupFeeds({ ...published, subscribing, topics, bus, known, relay: RELAY });
  const relaying = { ...published, store: subscribing.store, letters: bus.letters };
  publishesSkipped({ ...relaying, publish: bus.publish });
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
