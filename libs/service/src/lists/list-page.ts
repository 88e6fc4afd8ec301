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
  /** Reads rows by their ids, in this order, at most this many bytes at a time; without those that are no longer in the list. */
  read(ids: string[], bytes: number): AsyncIterable<Row[]>;
  /** The text of it where it is at hand. */
  toResource(row: Row): Item | JsonText;
}

/**
 * A list of rows that may be large: one text if all rows are read already, else a stream with the same bytes. A row that changes after the
 * page was looked up is sent in its new state; one that is removed or matches no more is left out.
 */
export function listPage<Row, Item>(options: PageOptions<Row, Item>): JsonText | JsonStream {
  const { page, toResource, ...list } = options;
  if (page.left.length > 0) return new JsonStream(piecesOf(options));
  return new JsonText(`{"data":[${itemsOf(page.docs, toResource)}${endOf(list, page.docs.length)}`);
}

async function* piecesOf<Row, Item>({ page, read, toResource, ...list }: PageOptions<Row, Item>): AsyncGenerator<string> {
  let shown = page.docs.length;
  yield `{"data":[${itemsOf(page.docs, toResource)}`;
  for await (const rows of read(page.left, PIECE)) {
    if (rows.length === 0) continue;
    yield (shown === 0 ? '' : ',') + itemsOf(rows, toResource);
    shown += rows.length;
  }
  yield endOf(list, shown);
}

const itemsOf = <Row>(rows: Row[], toResource: (row: Row) => unknown): string => rows.map((row) => textOf(toResource(row))).join();
/** What follows the items, of which the page shows so many. Rows that match since they were counted may be among them: the total is not below them. */
export function endOf({ total, ...list }: Omit<ListOptions<never>, 'data'>, shown: number): string {
  const { page = 1, per_page = 20 } = list.request.query;
  const least = shown === 0 ? 0 : (page - 1) * per_page + shown;
  return `],${JSON.stringify(listFrame({ ...list, total: Math.max(total, least) })).slice(1)}`;
}
