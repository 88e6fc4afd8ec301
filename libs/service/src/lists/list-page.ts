import type { ListEnvelope } from '@svc/contracts/http/list';
import { JsonStream } from '../answers/json-stream.ts';
import { listEnvelope, listFrame, type ListOptions } from './list-envelope.ts';

/** A list of at most this many stored bytes is returned in one piece. */
export const WHOLE = 64 * 1024;
/** A larger list is read and sent in pieces of this many bytes, or of one larger document. */
export const PIECE = 128 * 1024;

export interface PageOptions<Row, Item> extends Omit<ListOptions<Item>, 'data'> {
  /** The first rows, of at most `WHOLE` bytes together, and the ids of the others. */
  page: { docs: Row[]; left: string[] };
  /** Reads rows by their ids, in this order, at most this many bytes at a time. */
  read(ids: string[], bytes: number): AsyncIterable<Row[]>;
  toResource(row: Row): Item;
}

/**
 * A list of rows that may be large: an object if all rows are read already, else a stream with the same bytes. A row that changes after the
 * page was looked up is sent in its new state; one that is removed is left out.
 */
export function listPage<Row, Item>(options: PageOptions<Row, Item>): ListEnvelope<Item> | JsonStream {
  const { page, toResource, ...list } = options;
  return page.left.length === 0 ? listEnvelope({ ...list, data: page.docs.map(toResource) }) : new JsonStream(piecesOf(options));
}

async function* piecesOf<Row, Item>({ page, read, toResource, ...list }: PageOptions<Row, Item>): AsyncGenerator<string> {
  const itemsOf = (rows: Row[]): string => rows.map((row) => JSON.stringify(toResource(row))).join();
  let between = page.docs.length === 0 ? '' : ',';
  yield `{"data":[${itemsOf(page.docs)}`;
  for await (const rows of read(page.left, PIECE)) {
    yield between + itemsOf(rows);
    between = ',';
  }
  yield `],${JSON.stringify(listFrame(list)).slice(1)}`;
}
