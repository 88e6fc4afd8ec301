import type { ListEnvelope } from '@svc/contracts/http/list';
import { JsonStream } from '../answers/json-stream.ts';
import { listEnvelope, listFrame, type ListOptions } from './list-envelope.ts';
import { PIECE, WHOLE } from './list-page.ts';

export interface ItemsOptions<Item> extends Omit<ListOptions<Item>, 'data'> {
  /** The items of the page, made on demand. */
  items: AsyncIterable<Item>;
}

/** A list of items that are made one by one: an object if they are small, else a stream. */
export async function listItems<Item>({ items, ...list }: ItemsOptions<Item>): Promise<ListEnvelope<Item> | JsonStream> {
  const iterator = items[Symbol.asyncIterator]();
  const first: Item[] = [];
  const texts: string[] = [];
  for (let size = 0; size <= WHOLE;) {
    const { done, value } = await iterator.next();
    if (done) return listEnvelope({ ...list, data: first });
    const text = JSON.stringify(value);
    first.push(value);
    texts.push(text);
    size += text.length;
  }
  return new JsonStream(piecesOf(texts, iterator, listFrame(list)));
}

async function* piecesOf<Item>(first: string[], rest: AsyncIterator<Item>, frame: object): AsyncGenerator<string> {
  try {
    let piece = `{"data":[${first.splice(0).join()}`;
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      const text = `,${JSON.stringify(next.value)}`;
      if (piece.length + text.length > PIECE) {
        yield piece;
        piece = '';
      }
      piece += text;
    }
    yield `${piece}],${JSON.stringify(frame).slice(1)}`;
  } finally {
    await rest.return?.();
  }
}
