import type { Documents } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import { startLeasedFollower, type Follower } from '@svc/event-store';
import type { FollowingContext } from '../following/following.ts';
import type { KnownGroup } from './owed.ts';
import { isForgetful, startLanes } from './lanes.ts';
import type { Publisher } from './publisher.ts';
import { createRelay, keepsLeftOut } from './relay.ts';

export interface Publishing {
  follower: Follower;
  stop(): Promise<void>;
}

export interface PublishingOptions {
  following: FollowingContext;
  documents: Documents;
  bus: EventBus;
  publishers: readonly Publisher[];
}

const RELAY = 'publishing';

/** Publishes what was stored, from one replica at a time. The checkpoint moves once the bus has it. */
export function startPublishing({ following, documents, bus, publishers }: PublishingOptions): Publishing {
  const onTheBus = { store: following.store, publishers, letters: bus.letters, publish: bus.publish.bind(bus) };
  keepsLeftOut(onTheBus);
  if (!isForgetful(bus)) {
    const follower = startLeasedFollower({ ...following, name: RELAY, handle: createRelay(onTheBus) });
    return { follower, stop: () => follower.stop() };
  }
  const known = documents.collection<KnownGroup>('consumer_groups');
  const lanes = startLanes({ following, bus, publishers, known, relay: RELAY });
  const relay = createRelay({ ...onTheBus, publish: lanes.publish });
  const follower = startLeasedFollower({
    ...following,
    name: RELAY,
    async handle(events) {
      await relay(events);
      lanes.endOfBatch();
    },
  });
  return {
    follower,
    async stop() {
      await lanes.stop();
      await follower.stop();
    },
  };
}
