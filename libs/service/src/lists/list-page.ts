import { JsonText, textOf } from '@svc/kernel';
import { JsonStream } from '../answers/json-stream.ts';
import { listFrame, type ListOptions } from './list-envelope.ts';

/** A list of at most this many stored bytes is returned in one piece. */
export const WHOLE = 64 * 1024;
/** A larger list is read and sent in pieces of this many bytes, or of one larger document. */
export const PIECE = 128 * 1024;

export interface PageOptions<Row, Item> extends Omit<ListOptions<Item>, 'data'> {
  /** The first rows, of at most `WHOLE` bytes together, and the ids of the others. */
  page: { docs: Row[]; left: string[] };
  /** Reads rows by their ids, in this order, at most this many bytes at a time. */
  read(ids: string[], bytes: number): AsyncIterable<Row[]>;
  /** The text of it where it is at hand. */
  toResource(row: Row): Item | JsonText;
}

/**
 * A list of rows that may be large: one text if all rows are read already, else a stream with the same bytes. A row that changes after the
 * page was looked up is sent in its new state; one that is removed is left out.
 */
export function listPage<Row, Item>(options: PageOptions<Row, Item>): JsonText | JsonStream {
  const { page, toResource, ...list } = options;
  if (page.left.length > 0) return new JsonStream(piecesOf(options));
  return new JsonText(`{"data":[${itemsOf(page.docs, toResource)}${endOf(list)}`);
}

async function* piecesOf<Row, Item>({ page, read, toResource, ...list }: PageOptions<Row, Item>): AsyncGenerator<string> {
  let between = page.docs.length === 0 ? '' : ',';
  yield `{"data":[${itemsOf(page.docs, toResource)}`;
  for await (const rows of read(page.left, PIECE)) {
    yield between + itemsOf(rows, toResource);
    between = ',';
  }
  yield endOf(list);
}

const itemsOf = <Row>(rows: Row[], toResource: (row: Row) => unknown): string => rows.map((row) => textOf(toResource(row))).join();
/** What follows the items. */
export const endOf = (list: Omit<ListOptions<never>, 'data'>): string => `],${JSON.stringify(listFrame(list)).slice(1)}`;
