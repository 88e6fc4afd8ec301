import type { PublicEvent, Topic } from '@svc/contracts/events/envelope';
import { StateCache, type Recorded, type Streams, type Uid } from '@svc/kernel';
import { allDone } from '../all-done.ts';
import { categoryOf } from '../streams.ts';
import { publicEvents } from './public-events.ts';
import type { Publisher } from './publisher.ts';

export interface RelayOptions {
  store: Pick<Streams, 'read'>;
  publishers: readonly Publisher[];
  /** Resolves when the events are safe; rejects when that is not certain: the same are then published again. */
  publish(topic: Topic, events: PublicEvent[], positions: bigint[]): Promise<void>;
}

const NO_COMMANDS: ReadonlySet<Uid> = new Set();

/**
 * A follower's handler that tells the world: each stored event with the state after it, as its publisher says, in the order of the
 * store. Whatever it did not finish is told again, in the same bytes. An event that this release does not know stops it, since what it
 * passed over would be lost; the release that wrote it goes on.
 */
export function createRelay({ store, publishers, publish }: RelayOptions): (events: Recorded[]) => Promise<void> {
  const byCategory = new Map(publishers.map((publisher) => [publisher.category, publisher]));
  const states = new StateCache<unknown>();

  async function stateAfter(recorded: Recorded, publisher: Publisher): Promise<unknown> {
    const { stream, revision } = recorded;
    const known = states.get(stream);
    const before =
      known && known.revision !== 'none' && known.revision + 1n === revision ? known.state : await stateBefore(recorded, publisher);
    const state = publisher.evolve(before, recorded);
    states.set(stream, { state, revision, commands: NO_COMMANDS });
    return state;
  }

  async function stateBefore({ stream, revision }: Recorded, { initialState, evolve }: Publisher): Promise<unknown> {
    return revision === 0n ? initialState : (await store.read(stream, 0n, Number(revision))).reduce(evolve, initialState);
  }

  return async (events) => {
    const byTopic = new Map<Topic, { batch: PublicEvent[]; positions: bigint[] }>();
    for (const recorded of events) {
      const publisher = byCategory.get(categoryOf(recorded.stream));
      if (!publisher) continue;
      const publications = publisher.publish(recorded, await stateAfter(recorded, publisher));
      publicEvents(recorded, publications).forEach((event, n) => {
        const { topic } = publications[n] as { topic: Topic };
        const told = byTopic.get(topic) ?? { batch: [], positions: [] };
        byTopic.set(topic, told);
        told.batch.push(event);
        told.positions.push(recorded.position);
      });
    }
    await allDone([...byTopic].map(([topic, { batch, positions }]) => publish(topic, batch, positions)));
  };
}
