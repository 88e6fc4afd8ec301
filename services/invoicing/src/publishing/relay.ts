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
  publish(topic: Topic, events: PublicEvent[], positions: bigint[]): Promise<void>;
}

type Known = Pick<Folded<unknown>, 'state' | 'bytes'>;
type ByTopic = Map<Topic, { batch: PublicEvent[]; positions: bigint[] }>;

/** Each public event holds its whole resource: with so many bytes of these in hand they are published before more are made. */
const AT_ONCE_BYTES = 4 * 1_048_576;

const NO_COMMANDS: ReadonlySet<Uid> = new Set();

/**
 * A follower's handler that tells the world: each stored event with the state after it, as its publisher says, in the order of the
 * store. Whatever it did not finish is told again, in the same bytes. An event that this release does not know stops it, since what it
 * passed over would be lost; the release that wrote it goes on.
 */
export function createRelay({ store, publishers, publish }: RelayOptions): (events: Recorded[]) => Promise<void> {
  const byCategory = new Map(publishers.map((publisher) => [publisher.category, publisher]));
  const states = new StateCache<unknown>();

  async function stateAfter(recorded: Recorded, publisher: Publisher): Promise<Known> {
    const { stream, revision } = recorded;
    const known = states.get(stream);
    const isNext = known && known.revision !== 'none' && known.revision + 1n === revision;
    // Before an event that holds everything nothing is read: its stream may have any length.
    const isFirst = revision === 0n || publisher.isWhole?.(recorded);
    const before = isFirst ? { state: publisher.initialState, bytes: 0 } : isNext ? known : await stateBefore(recorded, publisher);
    const after = { state: publisher.evolve(before.state, recorded), bytes: before.bytes + recorded.bytes };
    states.set(stream, { ...after, revision, commands: NO_COMMANDS });
    return after;
  }

  async function stateBefore({ stream, revision }: Recorded, { initialState, evolve }: Publisher): Promise<Known> {
    const events = await store.read(stream, 0n, Number(revision));
    return { state: events.reduce(evolve, initialState), bytes: events.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  const publishAll = (byTopic: ByTopic): Promise<void> =>
    allDone([...byTopic].map(([topic, { batch, positions }]) => publish(topic, batch, positions)));

  return async (events) => {
    let byTopic: ByTopic = new Map();
    let inHand = 0;
    for (const recorded of events) {
      const publisher = byCategory.get(categoryOf(recorded.stream));
      if (!publisher) continue;
      const { state, bytes } = await stateAfter(recorded, publisher);
      if (inHand > 0 && inHand + bytes > AT_ONCE_BYTES) {
        await publishAll(byTopic);
        [byTopic, inHand] = [new Map(), 0];
      }
      inHand += bytes;
      const publications = publisher.publish(recorded, state);
      publicEvents(recorded, publications).forEach((event, n) => {
        const { topic } = publications[n] as { topic: Topic };
        const told = byTopic.get(topic) ?? { batch: [], positions: [] };
        byTopic.set(topic, told);
        told.batch.push(event);
        told.positions.push(recorded.position);
      });
    }
    await publishAll(byTopic);
  };
}
