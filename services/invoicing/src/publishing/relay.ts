import type { LetterBook } from '@svc/event-bus';
import { fromStored, NOTHING, type PublicationsOf, type PublishTo } from '@svc/event-bus/publishing/publication';
import * as publishing from '@svc/event-bus/publishing/relay';
import { OutcomeUnknown, piecesOf, soon, StateCache, StateMemory, type Folded, type Recorded, type Streams, type Uid } from '@svc/kernel';
import { MOST_STATE_BYTES } from '../longest-stream.ts';
import { categoryOf } from '../streams.ts';
import { publicEvents } from './public-events.ts';
import type { Publication, Publisher } from './publisher.ts';

export interface RelayOptions {
  store: Pick<Streams, 'read'>;
  publishers: readonly Publisher[];
  letters: LetterBook;
  publish: PublishTo;
}

type Known = Pick<Folded<unknown>, 'state' | 'bytes'>;

const NO_COMMANDS: ReadonlySet<Uid> = new Set();
const GROUP = 'invoicing.publishing';
/** Its own, so that no account's requests push out what it needs next. */
const MEMORY_BYTES = 32 * 1_048_576;

/** A subscription's handler that publishes each stored event with the state after it, as its publisher says. */
export const createRelay = (options: RelayOptions): ((events: Recorded[]) => Promise<void>) =>
  publishing.createRelay(relayOptions(options));

/** Has what the relay left out published by a release that knows it. */
export const keepsLeftOut = (options: RelayOptions): void => publishing.keepsLeftOut(relayOptions(options));

const relayOptions = ({ store, publishers, letters, publish }: RelayOptions): publishing.RelayOptions => ({
  ...{ group: GROUP, letters, store, publish },
  publicationsOf: publicationsFrom(store, publishers),
});

function publicationsFrom(store: RelayOptions['store'], publishers: readonly Publisher[]): PublicationsOf {
  const byCategory = new Map(publishers.map((publisher) => [publisher.category, publisher]));
  const states = new StateCache<unknown>({ memory: new StateMemory(MEMORY_BYTES), mostBytes: MOST_STATE_BYTES });

  async function stateAfter(recorded: Recorded, publisher: Publisher): Promise<Known> {
    const { stream, revision } = recorded;
    const known = states.get(stream);
    const isNext = known && known.revision !== 'none' && known.revision + 1n === revision;
    // Before an event that holds everything nothing is read: its stream may have any length.
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
    // The event itself was read: a history that ends early is that of a read that lags. One of which nothing is there may be deleted.
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
      const said = publicEvents(recorded, publications).map((event, n) => ({ event, topic: (publications[n] as Publication).topic }));
      return { said, bytes };
    });
  };
}
