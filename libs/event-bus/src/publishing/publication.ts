import type { PublicEvent, Topic } from '@svc/contracts/events/envelope';
import { allDone, type Position, type Recorded } from '@svc/kernel';

/** The public event of a stored event, and its topic. */
export interface ForTopic {
  topic: Topic;
  event: PublicEvent;
}

/** `events`: the public events, [] where a stored event stays private. `bytes`: of the stored events that they were made from, about as many as they have. */
export interface Publications {
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

export const NOTHING: Publications = { events: [], bytes: 0 };

/** Resolves when the events are safe; rejects when that is not certain: the same events are then published again. `positions`: in the store. */
export type PublishTo = (topic: Topic, events: PublicEvent[], positions: Position[]) => Promise<void>;

/** No public event can be made of a stored one; the cause is `UnknownEvent` where a later release can. */
export class CannotPublish extends Error {
  override readonly name = 'CannotPublish';
}

/** Runs a function of stored data alone, whose errors are therefore about that data. */
export function fromStored<T>(work: () => T): T {
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

export type InHand = ReturnType<typeof gather>;
