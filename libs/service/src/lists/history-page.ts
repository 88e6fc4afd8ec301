import type { PageQuery } from '@svc/contracts/http/page';
import type { EventStore } from '@svc/event-store';
import { type JsonText, piecesOf, type Recorded, type Turn } from '@svc/kernel';
import type { JsonStream } from '../answers/json-stream.ts';
import type { ListRequest } from './list-envelope.ts';
import { listItems } from './list-items.ts';

/** The history of one document, oldest first. */
export interface History<Entry> {
  total: number;
  /** The entries from `from` to before `to`, counted from 0. Reads all events before them, in pieces that await their `turn`. */
  entries(range: { from: number; to: number }, turn: Turn): AsyncIterable<Entry>;
}

/** The page of a history that the query requests. */
export function historyPage<Entry>(
  { total, entries }: History<Entry>,
  request: ListRequest & { query: PageQuery; turn: Turn },
  publicUrl: string,
): Promise<JsonText | JsonStream> {
  const { page, per_page: perPage } = request.query;
  const range = { from: (page - 1) * perPage, to: Math.min(page * perPage, total) };
  return listItems({ publicUrl, request, total, items: entries(range, request.turn) });
}

/** The events of a stream, read in pieces; each event awaits its `turn`. A request that waits for a permit holds one piece in memory. */
export async function* eventsOf(store: Pick<EventStore, 'read'>, stream: string, turn: Turn): AsyncGenerator<Recorded> {
  await turn(0);
  for await (const piece of piecesOf(store, { stream, turn })) {
    for (const event of piece) {
      yield event;
      await turn(0);
    }
  }
}
