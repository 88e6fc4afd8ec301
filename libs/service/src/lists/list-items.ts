import { JsonText, textOf } from '@svc/kernel';
import { JsonStream } from '../answers/json-stream.ts';
import type { ListOptions } from './list-envelope.ts';
import { endOf, PIECE, WHOLE } from './list-page.ts';

export interface ItemsOptions<Item> extends Omit<ListOptions<Item>, 'data'> {
  /** The items of the page, made on demand, or their texts. */
  items: AsyncIterable<Item | JsonText>;
}

/** A list of items that are made one by one: one text if they are small, else a stream. */
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
