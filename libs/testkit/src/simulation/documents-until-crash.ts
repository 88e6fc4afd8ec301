import type { Collection, Doc, DocumentStore } from '@svc/document-store';
import { never, type Lifetime } from './lifetime.ts';

/** The documents of a server that outlives the process: a sent operation takes place; a crashed process sends none and gets no result. */
export function documentsUntilCrash(documents: DocumentStore, lifetime: Lifetime): DocumentStore {
  const send = <T>(work: () => Promise<T>): Promise<T> => (lifetime.over ? never() : lifetime.through(work()));
  async function* heard<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    if (lifetime.over) await never();
    for await (const item of items) {
      if (lifetime.over) await never();
      yield item;
    }
  }
  return {
    collection<D extends Doc>(name: string, options?: Parameters<DocumentStore['collection']>[1]): Collection<D> {
      const rows = documents.collection<D>(name, options);
      return {
        get: (id) => send(() => rows.get(id)),
        insert: (doc) => send(() => rows.insert(doc)),
        insertFor: (command, doc) => send(() => rows.insertFor(command, doc)),
        indexed: (ids, fields) => send(() => rows.indexed(ids, fields)),
        count: (filter, turn) => send(() => rows.count(filter, turn)),
        write: (ops) => send(() => rows.write(ops)),
        claim: (filter, change, query) => send(() => rows.claim(filter, change, query)),
        highest: (field, filter) => send(() => rows.highest(field, filter)),
        page: (filter, query, bytes) => send(() => rows.page(filter, query, bytes)),
        size: () => send(() => rows.size()),
        find: (filter, query) => heard(rows.find(filter, query)),
        read: (ids, filter, bytes) => heard(rows.read(ids, filter, bytes)),
      };
    },
    unitOfWork: (steps) => documents.unitOfWork(steps),
  };
}
