import type { EventStore } from '@svc/event-store';
import type { Recorded } from '@svc/kernel';
import { type JsonStream, type ListEnvelope, listItems, nextTurn } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';

/** What happened to one document, oldest first. */
export interface History<Entry> {
  /** How many entries there are. */
  total: number;
  /** Those from `from` on and before `to`, counted from 0. */
  entries(from: number, to: number): AsyncIterable<Entry>;
}

/** The page of it that the query asks for. */
export function historyPage<Entry>(
  { total, entries }: History<Entry>,
  request: FastifyRequest,
  publicUrl: string,
): Promise<ListEnvelope<Entry> | JsonStream> {
  const { page, per_page: perPage } = request.query as { page: number; per_page: number };
  return listItems({ publicUrl, request, total, items: entries((page - 1) * perPage, Math.min(page * perPage, total)) });
}

/** Each event may have some hundred KiB. */
const AT_ONCE = 8;

/** A stream's events, some read at once, one in each turn of the event loop: what is made of them takes time. */
export async function* eventsOf(store: Pick<EventStore, 'read'>, stream: string): AsyncGenerator<Recorded> {
  for (let from = 0n; ; from += BigInt(AT_ONCE)) {
    const events = await store.read(stream, from, AT_ONCE);
    for (const event of events) {
      await nextTurn();
      yield event;
    }
    if (events.length < AT_ONCE) return;
  }
}
