import type { Events, EventRow } from '../event/event.ts';

interface Used {
  read: Promise<{ event: EventRow; body: Buffer }>;
  users: number;
}

/** Event rows with the bytes of their bodies, read once for all deliveries of an event in flight at a time and kept no longer. */
export function createBodies(events: Pick<Events, 'get'>) {
  const used = new Map<string, Used>();

  const read = async (id: string): Promise<{ event: EventRow; body: Buffer }> => {
    const event = await events.get(id);
    if (!event) throw new Error(`the event ${id} is not there`);
    const body = Buffer.from(event.body, 'utf8');
    return { event: { ...event, body: '' }, body };
  };

  return {
    /** Lends an event, its `body` as bytes alone. Rejects when it is not there. */
    async use<T>(id: string, work: (event: EventRow, body: Buffer) => Promise<T>): Promise<T> {
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
