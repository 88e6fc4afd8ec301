import type { LetterBook } from '@svc/event-bus';
import { fromStored, type PublicationsOf, type PublishTo } from '@svc/event-bus/publishing/publication';
import * as publishing from '@svc/event-bus/publishing/relay';
import { StateCache, type Recorded, type Streams, type Uid } from '@svc/kernel';
import { categoryOf } from '../streams.ts';
import { publicEvents } from './public-events.ts';
import type { Publication, Publisher } from './publisher.ts';

export interface RelayOptions {
  store: Pick<Streams, 'read'>;
  publishers: readonly Publisher[];
  letters: LetterBook;
  publish: PublishTo;
}

const NO_COMMANDS: ReadonlySet<Uid> = new Set();
const GROUP = 'invoicing.publishing';

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
  const states = new StateCache<unknown>();

  async function stateAfter(recorded: Recorded, publisher: Publisher): Promise<unknown> {
    const { stream, revision } = recorded;
    const known = states.get(stream);
    const before =
      known && known.revision !== 'none' && known.revision + 1n === revision ? known.state : await stateBefore(recorded, publisher);
    const state = fromStored(() => publisher.evolve(before, recorded));
    states.set(stream, { state, revision, commands: NO_COMMANDS });
    return state;
  }

  async function stateBefore({ stream, revision }: Recorded, { initialState, evolve }: Publisher): Promise<unknown> {
    if (revision === 0n) return initialState;
    const events = await store.read(stream, 0n, Number(revision));
    return fromStored(() => events.reduce(evolve, initialState));
  }

  return async (recorded) => {
    const publisher = byCategory.get(categoryOf(recorded.stream));
    if (!publisher) return [];
    const state = await stateAfter(recorded, publisher);
    return fromStored(() => {
      const publications = publisher.publish(recorded, state);
      return publicEvents(recorded, publications).map((event, n) => ({ event, topic: (publications[n] as Publication).topic }));
    });
  };
}
