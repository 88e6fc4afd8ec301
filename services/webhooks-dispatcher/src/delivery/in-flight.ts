import { LRUCache } from 'lru-cache';
import { isStored, type Events, type StoredEvent } from '../event/event.ts';
import { setImmediate } from 'node:timers';

/** `event`: with an empty `body`. */
export interface Sent {
  event: StoredEvent;
  body: Buffer;
}

interface Used {
  read: Promise<Sent> | Sent;
  users: number;
}

/** Its row is gone: attempts have nothing to send. */
export class EventMissing extends Error {
  override readonly name = 'EventMissing';
}

/** Memory for the bodies of events that were just stored and not sent yet. */
const KEPT_BYTES = 8 * 1024 * 1024;
const ROW = 1024;

/** Reads each stored event once for all deliveries of it that are in flight, and forgets it when the last of them ends. */
export function createInFlight(events: Pick<Events, 'get'>) {
  const used = new Map<string, Used>();
  const kept = new LRUCache<string, Sent>({ maxSize: KEPT_BYTES, sizeCalculation: ({ body }) => body.length + ROW });

  const read = async (id: string): Promise<Sent> => {
    const event = await events.get(id);
    if (!event || !isStored(event)) throw new EventMissing(`the event ${id} is not stored`);
    return sentOf(event);
  };

  return {
    /**
     * Keeps an event that is being stored until its deliveries are sent, as far as there is memory: it is not read then. Not one that holds personal
     * data, since erasure changes it.
     */
    keep(event: StoredEvent): void {
      if (event.subject === null) kept.set(event._id, sentOf(event));
    },
    /** Calls `work` with the event (its `body` field empty) and the body as bytes. Rejects with `EventMissing` when it is not stored. */
    async use<T>(id: string, work: (sent: Sent) => Promise<T>): Promise<T> {
      const one = used.get(id) ?? { read: kept.get(id) ?? read(id), users: 0 };
      used.set(id, one);
      kept.delete(id);
      one.users += 1;
      try {
        return await work(one.read instanceof Promise ? await one.read : one.read);
      } finally {
        one.users -= 1;
        if (one.users === 0) used.delete(id);
      }
    },
  };
}

export type InFlight = ReturnType<typeof createInFlight>;

const sentOf = (event: StoredEvent): Sent => ({ event: { ...event, body: '' }, body: Buffer.from(event.body, 'utf8') });

/**
 * Reads a document once for all who ask for it in the same turn of the event loop: the attempts that start together after a commit, mostly to one
 * endpoint. Who asks in a later turn gets what is stored then.
 */
export function oncePerTurn<D>(read: (id: string) => Promise<D>): (id: string) => Promise<D> {
  const asked = new Map<string, Promise<D>>();
  return (id) => {
    const known = asked.get(id);
    if (known) return known;
    if (asked.size === 0) setImmediate(() => asked.clear());
    const reading = read(id);
    asked.set(id, reading);
    return reading;
  };
}
