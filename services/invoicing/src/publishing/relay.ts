import type { PublicEvent, Topic } from '@svc/contracts/events/envelope';
import { StateCache, type Folded, type Recorded, type Streams, type Uid } from '@svc/kernel';
import { allDone } from '../all-done.ts';
import { categoryOf } from '../streams.ts';
import { publicEvents } from './public-events.ts';
import type { Publisher } from './publisher.ts';

export interface RelayOptions {
  store: Pick<Streams, 'read'>;
  publishers: readonly Publisher[];
  /** Resolves when the events are safe; rejects when that is not certain: the same are then published again. */
  publish(topic: Topic, events: PublicEvent[]): Promise<void>;
}

type Before = Pick<Folded<unknown>, 'state' | 'bytes'>;

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
    const isNext = known && known.revision !== 'none' && known.revision + 1n === revision;
    // Before an event that holds everything nothing is read: its stream may have any length.
    const isFirst = revision === 0n || publisher.isWhole?.(recorded);
    const before = isFirst ? { state: publisher.initialState, bytes: 0 } : isNext ? known : await stateBefore(recorded, publisher);
    const state = publisher.evolve(before.state, recorded);
    states.set(stream, { state, revision, commands: NO_COMMANDS, bytes: before.bytes + recorded.bytes });
    return state;
  }

  async function stateBefore({ stream, revision }: Recorded, { initialState, evolve }: Publisher): Promise<Before> {
    const events = await store.read(stream, 0n, Number(revision));
    return { state: events.reduce(evolve, initialState), bytes: events.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  return async (events) => {
    const byTopic = new Map<Topic, PublicEvent[]>();
    for (const recorded of events) {
      const publisher = byCategory.get(categoryOf(recorded.stream));
      if (!publisher) continue;
      const publications = publisher.publish(recorded, await stateAfter(recorded, publisher));
      publicEvents(recorded, publications).forEach((event, n) => {
        const { topic } = publications[n] as { topic: Topic };
        const batch = byTopic.get(topic);
        if (batch) batch.push(event);
        else byTopic.set(topic, [event]);
      });
    }
    await allDone([...byTopic].map(([topic, batch]) => publish(topic, batch)));
  };
}
