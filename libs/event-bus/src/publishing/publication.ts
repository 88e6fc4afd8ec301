import type { PublicEvent, Topic } from '@svc/contracts/events/envelope';
import { allDone, type Position, type Recorded } from '@svc/kernel';

/** A stored event's public event, and the topic that it is for. */
export interface ForTopic {
  topic: Topic;
  event: PublicEvent;
}

/** `said`: [] where a stored event stays private. `bytes`: of the stored events that it was made from, which are about those that it has. */
export interface Publications {
  said: ForTopic[];
  bytes: number;
}

/**
 * What a stored event says outside: the same bytes at every call. Throws `CannotPublish` where that can never be said by this release, and
 * anything else where the store does not answer.
 */
export type PublicationsOf = (recorded: Recorded) => Promise<Publications>;

export const NOTHING: Publications = { said: [], bytes: 0 };

/** Resolves when the events are safe; rejects when that is not certain: the same are then published again. `positions`: of each in the store. */
export type PublishTo = (topic: Topic, events: PublicEvent[], positions: Position[]) => Promise<void>;

/** No public event can be made of a stored one: the cause is `UnknownEvent` where a later release can. */
export class CannotPublish extends Error {
  override readonly name = 'CannotPublish';
}

/** Runs what depends on stored data alone; what it throws is about that data. */
export function fromStored<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new CannotPublish(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Each public event may hold a whole resource: with so many bytes of these in hand they are published before more are taken. */
const AT_ONCE_BYTES = 4 * 1_048_576;

/** What stored events say and is not published yet, which stays within bounds. */
export interface InHand {
  /** In the order of the store. Publishes what is in hand already where it would be too much. */
  add(recorded: Recorded, publications: Publications): Promise<void>;
  /** Publishes the rest, topic by topic, each topic in the order of the store. */
  publish(): Promise<void>;
}

export function gather(publish: PublishTo): InHand {
  let byTopic = new Map<Topic, { events: PublicEvent[]; positions: Position[] }>();
  let inHand = 0;

  async function publishAll(): Promise<void> {
    const all = [...byTopic];
    [byTopic, inHand] = [new Map(), 0];
    await allDone(all.map(([topic, { events, positions }]) => publish(topic, events, positions)));
  }

  return {
    async add({ position }, { said, bytes }) {
      if (inHand > 0 && inHand + bytes > AT_ONCE_BYTES) await publishAll();
      inHand += bytes;
      for (const { topic, event } of said) {
        const batch = byTopic.get(topic) ?? { events: [], positions: [] };
        byTopic.set(topic, batch);
        batch.events.push(event);
        batch.positions.push(position);
      }
    },
    publish: publishAll,
  };
}
