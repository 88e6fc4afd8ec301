import type { EventStore } from '@svc/event-store';
import type { Recorded } from '@svc/kernel';
import { type JsonStream, type ListEnvelope, listItems } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';

/** As a request has it. */
export type Turn = FastifyRequest['turn'];

/** What happened to one document, oldest first. */
export interface History<Entry> {
  /** How many entries there are. */
  total: number;
  /** Those from `from` on and before `to`, counted from 0; all events before them are read, each some in their `turn`. */
  entries(range: { from: number; to: number }, turn: Turn): AsyncIterable<Entry>;
}

/** The page of it that the query asks for. */
export function historyPage<Entry>(
  { total, entries }: History<Entry>,
  request: FastifyRequest,
  publicUrl: string,
): Promise<ListEnvelope<Entry> | JsonStream> {
  const { page, per_page: perPage } = request.query as { page: number; per_page: number };
  const range = { from: (page - 1) * perPage, to: Math.min(page * perPage, total) };
  return listItems({ publicUrl, request, total, items: entries(range, (bytes) => request.turn(bytes)) });
}

/** Read at once: events of so many bytes together, or one larger one. */
const BYTES_AT_ONCE = 64 * 1024;
const EVENTS_AT_ONCE = 8;

/** A stream's events, some read at once, each of them in a `turn`. What waits for a permit holds no event. */
export async function* eventsOf(store: Pick<EventStore, 'read'>, stream: string, turn: Turn): AsyncGenerator<Recorded> {
  let largest = await sizeOfFirst(store, stream);
  for (let from = 0n; ;) {
    const atOnce = Math.max(1, Math.min(EVENTS_AT_ONCE, Math.floor(BYTES_AT_ONCE / Math.max(1, largest))));
    await turn(atOnce * largest);
    const events = await store.read(stream, from, atOnce);
    for (const event of events) {
      yield event;
      largest = Math.max(largest, event.bytes);
      await turn(0);
    }
    if (events.length < atOnce) return;
    from += BigInt(atOnce);
  }
}

const sizeOfFirst = async (store: Pick<EventStore, 'read'>, stream: string): Promise<number> =>
  (await store.read(stream, 0n, 1))[0]?.bytes ?? 0;
