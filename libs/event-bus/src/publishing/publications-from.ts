import {
  appendedState,
  categoryOf,
  OutcomeUnknown,
  piecesOf,
  soon,
  StateCache,
  stateMemory,
  type Folded,
  type Position,
  type Recorded,
  type Streams,
  type Uid,
} from '@svc/kernel';
import { publicEvents } from './public-events.ts';
import { fromStored, NOTHING, type PublicationsOf } from './publication.ts';
import type { Publication, Publisher } from './publisher.ts';

type Known = Pick<Folded<unknown>, 'state' | 'bytes'>;

const NO_COMMANDS: ReadonlySet<Uid> = new Set();
/** A separate cache, so that no account's requests evict what the relay needs next. */
const MEMORY_BYTES = 32 * 1_048_576;
/** A state counts at most this many bytes, however many its stream has: later events replace what earlier ones held. */
export const MOST_STATE_BYTES = 1_048_576;

export interface PublicationsFromOptions {
  /** The service that owns the events: `invoicing`. */
  source: string;
  store: Pick<Streams, 'read'>;
  publishers: readonly Publisher[];
  /** The position of the last event of the backup that the store was restored from, if it was. */
  restoredUntil?: Position | undefined;
}

/** The public events of a stored event, from the publisher of its category and the state after it. */
export function publicationsFrom({ source, store, publishers, restoredUntil }: PublicationsFromOptions): PublicationsOf {
  const byCategory = new Map(publishers.map((publisher) => [publisher.category, publisher]));
  const states = new StateCache<unknown>({ memory: stateMemory(MEMORY_BYTES), mostBytes: MOST_STATE_BYTES });

  async function stateAfter(recorded: Recorded, publisher: Publisher): Promise<Known> {
    const { stream, revision } = recorded;
    const own = appendedState(recorded);
    if (own) return own;
    const known = states.get(stream);
    const isNext = known && known.revision !== 'none' && known.revision + 1n === revision;
    // Before an event that holds the complete state nothing is read: its stream may be long.
    const isFirst = revision === 0n || fromStored(() => publisher.isWhole?.(recorded));
    const before = isFirst ? { state: publisher.initialState, bytes: 0 } : isNext ? known : await stateBefore(recorded, publisher);
    const after = { state: fromStored(() => publisher.evolve(before.state, recorded)), bytes: before.bytes + recorded.bytes };
    states.set(stream, { ...after, revision, commands: NO_COMMANDS });
    return after;
  }

  async function stateBefore({ stream, revision }: Recorded, { initialState, evolve }: Publisher): Promise<Known> {
    let [state, bytes] = [initialState, 0];
    let last: bigint | undefined;
    for await (const piece of piecesOf(store, { stream, turn: soon })) {
      const before = piece.filter((event) => event.revision < revision);
      state = fromStored(() => before.reduce(evolve, state));
      bytes += before.reduce((sum, event) => sum + event.bytes, 0);
      last = before.at(-1)?.revision ?? last;
      if (before.length < piece.length) break;
    }
    // The event itself was read, so a history that ends before it comes from a lagging read. An empty one may be a deleted stream.
    if (last !== undefined && last + 1n < revision)
      throw new OutcomeUnknown(`the events of ${stream} before ${revision} cannot all be read yet`);
    return { state, bytes };
  }

  return async (recorded) => {
    const publisher = byCategory.get(categoryOf(recorded.stream));
    if (!publisher) return NOTHING;
    const { state, bytes } = await stateAfter(recorded, publisher);
    return fromStored(() => {
      const publications = publisher.publish(recorded, state);
      const events = publicEvents(source, recorded, publications, restoredUntil);
      return { events: events.map((event, n) => ({ event, topic: (publications[n] as Publication).topic })), bytes };
    });
  };
}
