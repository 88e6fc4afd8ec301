import type { Documents } from '@svc/documents';
import type { EventBus } from '@svc/event-bus';
import { startLeasedFollower, type Follower } from '@svc/event-store';
import type { FollowingContext, Handle } from '../following/following.ts';
import { isForgetful, startNewGroups, type KnownGroup } from './new-groups.ts';
import type { Publisher } from './publisher.ts';
import { createRelay } from './relay.ts';

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

/** Tells the bus what was stored, from one replica at a time. The checkpoint moves once the bus has it. */
export function startPublishing({ following, documents, bus, publishers }: PublishingOptions): Publishing {
  const relay = createRelay({ store: following.store, publishers, publish: (...told) => bus.publish(...told) });
  if (!isForgetful(bus)) {
    const follower = startLeasedFollower({ ...following, name: RELAY, handle: relay });
    return { follower, stop: () => follower.stop() };
  }
  const known = documents.collection<KnownGroup>('consumer_groups');
  const groups = startNewGroups({ following, bus, publishers, known, relay: RELAY });
  const handle: Handle = async (events) => {
    await groups.noted();
    await relay(events);
  };
  const follower = startLeasedFollower({ ...following, name: RELAY, handle });
  return {
    follower,
    async stop() {
      await groups.stop();
      await follower.stop();
    },
  };
}
