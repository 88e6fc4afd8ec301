import type { ListEnvelope } from '@svc/contracts/http/list';
import { JsonStream } from '../answers/json-stream.ts';
import { listEnvelope, listFrame, type ListOptions } from './list-envelope.ts';

/** Lists of up to so many stored bytes are answered in one piece, in bytes. */
export const WHOLE = 64 * 1024;
/** Larger ones are read and sent in pieces of so many, or of one larger document. */
const PIECE = 128 * 1024;

export interface PageOptions<Row, Item> extends Omit<ListOptions<Item>, 'data'> {
  /** The first rows, of at most `WHOLE` bytes together, and the ids of those behind them. */
  page: { docs: Row[]; left: string[] };
  /** Rows by their ids, in this order, so many bytes at a time, each time it is asked. */
  read(ids: string[], bytes: number): AsyncIterable<Row[]>;
  toResource(row: Row): Item;
}

/**
 * The contract's list of rows that may be large: as an object where all are there already, else as a stream, equal byte for byte. A row
 * that was changed since its page was looked up comes as it is by then; one that was removed does not come.
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
