import { type PublicEvent, type Topic, enveloped, topics, type EventFields } from '@svc/contracts/events/envelope';
import {
  allDone,
  type Position,
  type Recorded,
  categoryOf,
  statesAfter,
  type Fold,
  type Streams,
  derivedUid,
  idOf,
  iso,
  versionAt,
} from '@svc/kernel';
import type { Publication, Publisher } from './publisher.ts';
import { createHash } from 'node:crypto';

/** The public event of a stored event, and its topic. */
export interface ForTopic {
  topic: Topic;
  event: PublicEvent;
}

/** `events`: the public events, [] where a stored event stays private. `bytes`: of the stored events that they were made from, about as many as they have. */
interface Publications {
  events: ForTopic[];
  bytes: number;
}

export interface PublicationsOf {
  /**
   * The public events of a stored event: the same bytes at every call, except `republished` after a restore. Throws `CannotPublish` where this release can never
   * publish it, and other errors where the store does not answer.
   */
  of(recorded: Recorded): Promise<Publications>;
  /** The events in their order, for a loop that calls `of` for those that are `wanted`: what the next of them need is read meanwhile. */
  each(events: readonly Recorded[], wanted?: (recorded: Recorded) => boolean): Iterable<Recorded>;
}

const NOTHING: Publications = { events: [], bytes: 0 };

/** Resolves when the events are safe; rejects when that is not certain: the same events are then published again. `positions`: in the store. */
export type PublishTo = (topic: Topic, events: PublicEvent[], positions: Position[]) => Promise<void>;

/** No public event can be made of a stored one; the cause is `UnknownEvent` where a later release can. */
export class CannotPublish extends Error {
  override readonly name = 'CannotPublish';
}

/** Runs a function of stored data alone, whose errors are therefore about that data. */
function fromStored<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new CannotPublish(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Each public event may hold a complete resource: a batch of this many bytes is published before more events are added. */
const AT_ONCE_BYTES = 4 * 1_048_576;

/** Collects public events, within bounds. */
export function gather(publish: PublishTo) {
  let byTopic = new Map<Topic, { events: PublicEvent[]; positions: Position[] }>();
  let inHand = 0;

  async function publishAll(): Promise<void> {
    const all = [...byTopic];
    [byTopic, inHand] = [new Map(), 0];
    await allDone(all.map(([topic, { events, positions }]) => publish(topic, events, positions)));
  }

  return {
    /** In the order of the store. Publishes what is collected first where it would become too much. */
    async add({ position }: Recorded, { events, bytes }: Publications): Promise<void> {
      if (inHand > 0 && inHand + bytes > AT_ONCE_BYTES) await publishAll();
      inHand += bytes;
      for (const { topic, event } of events) {
        const batch = byTopic.get(topic) ?? { events: [], positions: [] };
        byTopic.set(topic, batch);
        batch.events.push(event);
        batch.positions.push(position);
      }
    },
    /** Publishes the rest, topic by topic, each topic in the order of the store. */
    publish: publishAll,
  };
}

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

/**
 * The public events of one stored event, the same bytes at every call, except `republished` after a restore. The first one outside the
 * registration topic has the stored event's own 128 bits as its id; the others have an id derived from them and their type. Those of an event
 * up to `restoredUntil` say that they are republished.
 */
export function publicEvents(
  source: string,
  recorded: Recorded,
  publications: readonly Publication[],
  restoredUntil?: Position,
): PublicEvent[] {
  const republished = restoredUntil !== undefined && recorded.position <= restoredUntil;
  const own = publications.findIndex(({ topic }) => topic !== topics.registration);
  return publications.map((publication, n) => {
    const before = publications.slice(0, n).filter(({ type }) => type === publication.type).length;
    const uid = n === own ? recorded.id : idFor(recorded, publication, before);
    return publicEvent(recorded, publication, { source, uid, republished });
  });
}

/** `before`: publications of the same type before it. */
const idFor = ({ id }: Recorded, { type }: Publication, before: number): string =>
  derivedUid(
    id,
    createHash('sha256')
      .update(`${id} ${type}${before > 0 ? ` ${before}` : ''}`)
      .digest(),
  );

function publicEvent(
  { stream, revision, recordedAt, data, metadata }: Recorded,
  publication: Publication,
  known: Pick<EventFields, 'source' | 'uid' | 'republished'>,
): PublicEvent {
  const { at } = data as { at?: string };
  // A resource counts its own versions: a receipt's first is that of its second event.
  const { version = versionAt(revision) } = publication.data as { version?: number };
  const { type, data: resource, entry } = publication;
  const time = at ?? iso(recordedAt);
  return enveloped(metadata, { ...known, type, subject: idOf(stream), time, sequence: version, ...(entry && { entry }), data: resource });
}
