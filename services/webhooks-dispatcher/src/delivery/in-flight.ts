import { isStored, type Events, type StoredEvent } from '../event/event.ts';

interface Used {
  read: Promise<{ event: StoredEvent; body: Buffer }>;
  users: number;
}

/** Reads each stored event once for all deliveries of it that are in flight, and forgets it when the last of them ends. */
export function createInFlight(events: Pick<Events, 'get'>) {
  const used = new Map<string, Used>();

  const read = async (id: string): Promise<{ event: StoredEvent; body: Buffer }> => {
    const event = await events.get(id);
    if (!event || !isStored(event)) throw new Error(`the event ${id} is not stored`);
    const body = Buffer.from(event.body, 'utf8');
    return { event: { ...event, body: '' }, body };
  };

  return {
    /** Calls `work` with the event (its `body` field empty) and the body as bytes. Rejects when it is not stored. */
    async use<T>(id: string, work: (event: StoredEvent, body: Buffer) => Promise<T>): Promise<T> {
      const one = used.get(id) ?? { read: read(id), users: 0 };
      used.set(id, one);
      one.users += 1;
      try {
        const { event, body } = await one.read;
        return await work(event, body);
      } finally {
        one.users -= 1;
        if (one.users === 0) used.delete(id);
      }
    },
  };
}
