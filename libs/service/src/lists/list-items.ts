import type { ListEnvelope } from '@svc/contracts/http/list';
import { JsonStream } from '../answers/json-stream.ts';
import { listEnvelope, listFrame, type ListOptions } from './list-envelope.ts';
import { WHOLE } from './list-page.ts';

export interface ItemsOptions<Item> extends Omit<ListOptions<Item>, 'data'> {
  /** The items of the page, made on demand. */
  items: AsyncIterable<Item>;
}

/** A list of items that are made one by one: an object if they are small, else a stream. */
export async function listItems<Item>({ items, ...list }: ItemsOptions<Item>): Promise<ListEnvelope<Item> | JsonStream> {
  const iterator = items[Symbol.asyncIterator]();
  const first: Item[] = [];
  for (let size = 0; size <= WHOLE;) {
    const { done, value } = await iterator.next();
    if (done) return listEnvelope({ ...list, data: first });
    first.push(value);
    size += JSON.stringify(value).length;
  }
  return new JsonStream(piecesOf(first, iterator, listFrame(list)));
}

async function* piecesOf<Item>(first: Item[], rest: AsyncIterator<Item>, frame: object): AsyncGenerator<string> {
  try {
    yield `{"data":[${first
      .splice(0)
      .map((item) => JSON.stringify(item))
      .join()}`;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield `,${JSON.stringify(next.value)}`;
    yield `],${JSON.stringify(frame).slice(1)}`;
  } finally {
    await rest.return?.();
  }
}
