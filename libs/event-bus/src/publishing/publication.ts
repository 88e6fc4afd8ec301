import type { PublicEvent, Topic } from '@svc/contracts/events/envelope';
import type { Position, Recorded } from '@svc/kernel';

/** A stored event's public event, and the topic that it is for. */
export interface ForTopic {
  topic: Topic;
  event: PublicEvent;
}

/**
 * What a stored event says outside: the same bytes at every call, [] where it stays private. Throws `CannotPublish` where that can never be
 * said by this release, and anything else where the store does not answer.
 */
export type PublicationsOf = (recorded: Recorded) => Promise<ForTopic[]>;

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

/** Publishes what these events say, topic by topic, each topic in the order of the store. */
export async function publishAll(publications: [Recorded, ForTopic[]][], publish: PublishTo): Promise<void> {
  const byTopic = new Map<Topic, { events: PublicEvent[]; positions: Position[] }>();
  for (const [{ position }, said] of publications)
    for (const { topic, event } of said) {
      const batch = byTopic.get(topic) ?? { events: [], positions: [] };
      byTopic.set(topic, batch);
      batch.events.push(event);
      batch.positions.push(position);
    }
  const ends = await Promise.allSettled(Array.from(byTopic, ([topic, { events, positions }]) => publish(topic, events, positions)));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}
