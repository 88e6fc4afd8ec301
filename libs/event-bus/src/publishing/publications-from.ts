import { categoryOf, statesAfter, type Fold, type Position, type Recorded, type Streams } from '@svc/kernel';
import { publicEvents } from './public-events.ts';
import { fromStored, NOTHING, type Publications, type PublicationsOf } from './publication.ts';
import type { Publication, Publisher } from './publisher.ts';

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
  const byCategory = new Map(publishers.map((publisher) => [publisher.category, { publisher, fold: foldOf(publisher) }]));
  const states = statesAfter(store);

  async function of(recorded: Recorded): Promise<Publications> {
    const { publisher, fold } = byCategory.get(categoryOf(recorded.stream)) ?? {};
    if (!publisher || !fold) return NOTHING;
    const { state, bytes } = await states.after(recorded, fold);
    return fromStored(() => {
      const publications = publisher.publish(recorded, state);
      for (const { topic } of publications) if (!publisher.topics.includes(topic)) throw new Error(`${topic} is no topic of its publisher`);
      const events = publicEvents(source, recorded, publications, restoredUntil);
      return { events: events.map((event, n) => ({ event, topic: (publications[n] as Publication).topic })), bytes };
    });
  }

  return {
    of,
    each: (events, wanted = () => true) =>
      states.each(events, (recorded) => (wanted(recorded) ? byCategory.get(categoryOf(recorded.stream))?.fold : undefined)),
  };
}

const foldOf = (publisher: Publisher): Fold<unknown> => ({
  initialState: publisher.initialState,
  evolve: (state, recorded) => fromStored(() => publisher.evolve(state, recorded)),
  isOwn: publisher.isOwn,
  isWhole: (recorded: Recorded) => fromStored(() => publisher.isWhole?.(recorded) ?? false),
});
