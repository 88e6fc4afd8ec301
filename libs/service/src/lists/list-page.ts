import type { JsonText, Turn } from '@svc/kernel';
import type { JsonStream } from '../answers/json-stream.ts';
import type { ListOptions } from './list-envelope.ts';
import { listItems, PIECE } from './list-items.ts';

export interface PageOptions<Row, Item> extends Omit<ListOptions<Item>, 'data'> {
  /** The first rows, of at most `PIECE` bytes together, and the ids of the others. */
  page: { docs: Row[]; left: string[] };
  /** Reads rows by their ids, in this order, at most this many bytes at a time; without those that are no longer in the list. */
  read(ids: string[], bytes: number): AsyncIterable<Row[]>;
  /** The text of it where it is at hand. */
  toResource(row: Row): Item | JsonText | Promise<Item | JsonText>;
  /** Awaited before each read. */
  turn: Turn;
}

/**
 * A list of rows, read a piece at a time: one text, or a stream with the same bytes where it is large. A row that changes after the page was looked up is
 * sent in its new state; one that is removed or no longer matches is skipped.
 */
export function listPage<Row, Item>({ page, read, toResource, turn, ...list }: PageOptions<Row, Item>): Promise<JsonText | JsonStream> {
  return listItems({ ...list, items: itemsOf({ page, read, toResource, turn }) });
}

async function* itemsOf<Row, Item>({
  page: { docs, left },
  read,
  toResource,
  turn,
}: Pick<PageOptions<Row, Item>, 'page' | 'read' | 'toResource' | 'turn'>): AsyncGenerator<Item | JsonText> {
  for (const row of docs) yield toResource(row);
  if (left.length === 0) return;
  await turn(0);
  for await (const rows of read(left, PIECE)) {
    for (const row of rows) yield toResource(row);
    await turn(0);
  }
}
