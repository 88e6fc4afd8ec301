import { LRUCache } from 'lru-cache';
import type { Collection, Doc } from '../port.ts';

const KEPT_BYTES = 4 * 1024 * 1024;
const ROW = 1024;

/**
 * A collection of which `get` keeps what it has read until the next write. All writes of the process go through what this returns: one that has been answered is
 * seen by every `get` after it.
 */
export function keptInMemory<D extends Doc>(collection: Collection<D>): Collection<D> {
  const kept = new LRUCache<string, D>({ maxSize: KEPT_BYTES, sizeCalculation: (doc) => ROW + 2 * JSON.stringify(doc).length });
  /** Of reads: one that began before a write ended may be older than it. */
  let generation = 0;

  async function written<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } finally {
      generation += 1;
      kept.clear();
    }
  }

  return {
    ...collection,
    async get(id) {
      const known = kept.get(id);
      if (known) return known;
      const began = generation;
      const found = await collection.get(id);
      if (found && generation === began) kept.set(id, found);
      return found;
    },
    insert: (doc) => written(collection.insert(doc)),
    insertFor: (command, doc) => written(collection.insertFor(command, doc)),
    write: (ops) => written(collection.write(ops)),
    claim: (filter, change, query) => written(collection.claim(filter, change, query)),
  };
}
