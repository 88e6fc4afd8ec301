import { settleTurns } from '@svc/kernel';
import type { Collection, Doc, DocumentStore } from '../port.ts';

/** The same document store, and a way to wait until no operation on it is in progress: a fake clock must not move on while a server works. */
export function watched(documents: DocumentStore): { documents: DocumentStore; settled: () => Promise<void> } {
  const underWay = new Set<Promise<unknown>>();
  const seen = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    const over = (): void => void underWay.delete(work);
    work.then(over, over);
    return work;
  };
  async function* stepwise<D>(docs: AsyncIterable<D>): AsyncGenerator<D> {
    const iterator = docs[Symbol.asyncIterator]();
    try {
      for (let step = await seen(iterator.next()); !step.done; step = await seen(iterator.next())) yield step.value;
    } finally {
      if (iterator.return) await seen(iterator.return());
    }
  }
  return {
    documents: {
      collection<D extends Doc>(name: string, options?: object): Collection<D> {
        const collection = documents.collection<D>(name, options);
        return {
          get: (id) => seen(collection.get(id)),
          insert: (doc) => seen(collection.insert(doc)),
          insertFor: (command, doc) => seen(collection.insertFor(command, doc)),
          indexed: (ids, fields) => seen(collection.indexed(ids, fields)),
          find: (filter, query) => stepwise(collection.find(filter, query)),
          count: (filter, turn) => seen(collection.count(filter, turn)),
          highest: (field, filter) => seen(collection.highest(field, filter)),
          page: (filter, query, bytes) => seen(collection.page(filter, query, bytes)),
          read: (ids, filter, bytes) => stepwise(collection.read(ids, filter, bytes)),
          write: (ops) => seen(collection.write(ops)),
          claim: (filter, change, query) => seen(collection.claim(filter, change, query)),
          size: () => seen(collection.size()),
        };
      },
      unitOfWork: (steps) => seen(documents.unitOfWork(steps)),
    },
    async settled() {
      for (await settleTurns(); underWay.size > 0; await settleTurns()) await Promise.allSettled(underWay);
    },
  };
}
