import { JsonText, textOf } from '@svc/kernel';
import { JsonStream } from '../answers/json-stream.ts';
import { listFrame, type ListOptions } from './list-envelope.ts';

const KIB = 1024;
/** A list is read and made in pieces of this many bytes, or of one larger document: one in a turn of the event loop. */
export const PIECE = 128 * KIB;
/** A list of at most this many bytes is returned in one piece; a larger one is sent as it is made. */
const WHOLE = 1024 * KIB;

export interface ItemsOptions<Item> extends Omit<ListOptions<Item>, 'data'> {
  /** The items of the page, made on demand, or their texts. */
  items: AsyncIterable<Item | JsonText>;
}

/** A list of items that are made one by one: one text, or a stream where it is large. */
export async function listItems<Item>({ items, ...list }: ItemsOptions<Item>): Promise<JsonText | JsonStream> {
  const iterator = items[Symbol.asyncIterator]();
  const texts: string[] = [];
  for (let size = 0; size <= WHOLE;) {
    const { done, value } = await iterator.next();
    if (done) return new JsonText(`{"data":[${texts.join()}${endOf(list, texts.length)}`);
    const text = textOf(value);
    texts.push(text);
    size += text.length;
  }
  return new JsonStream(piecesOf(texts, iterator, (shown) => endOf(list, shown)));
}

/** What follows the items, of which the page shows so many. Rows that match since they were counted may be among them: the total is not below them. */
function endOf({ total, ...list }: Omit<ListOptions<never>, 'data'>, shown: number): string {
  const { page = 1, per_page = 20 } = list.request.query;
  const least = shown === 0 ? 0 : (page - 1) * per_page + shown;
  return `],${JSON.stringify(listFrame({ ...list, total: Math.max(total, least) })).slice(1)}`;
}

async function* piecesOf(first: string[], rest: AsyncIterator<unknown>, endOfList: (shown: number) => string): AsyncGenerator<string> {
  let shown = first.length;
  try {
    let piece = `{"data":[${first.splice(0).join()}`;
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      const text = `,${textOf(next.value)}`;
      if (piece.length + text.length > PIECE) {
        yield piece;
        piece = '';
      }
      piece += text;
      shown += 1;
    }
    yield piece + endOfList(shown);
  } finally {
    await rest.return?.();
  }
}
