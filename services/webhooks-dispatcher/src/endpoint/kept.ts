import { LRUCache } from 'lru-cache';
import type { Endpoint, Endpoints } from './endpoint.ts';

const KEPT_BYTES = 4 * 1024 * 1024;
const ROW = 1024;

const bytesOf = ({ url, events, description, metadata, secret }: Endpoint): number =>
  ROW + 2 * (url.length + (description ?? '').length + secret.length + JSON.stringify([events, metadata]).length);

/**
 * The endpoints of a process that alone writes them, and writes all of them through what this returns: `get` keeps what it has read until the next
 * write. A write that has been answered is seen by every `get` after it. What it returns is not to be changed.
 */
export function keptEndpoints(endpoints: Endpoints): Endpoints {
  const kept = new LRUCache<string, Endpoint>({ maxSize: KEPT_BYTES, sizeCalculation: bytesOf });
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
    ...endpoints,
    async get(id) {
      const known = kept.get(id);
      if (known) return known;
      const began = generation;
      const found = await endpoints.get(id);
      if (found && generation === began) kept.set(id, found);
      return found;
    },
    insert: (endpoint) => written(endpoints.insert(endpoint)),
    write: (ops) => written(endpoints.write(ops)),
    claim: (filter, change, query) => written(endpoints.claim(filter, change, query)),
  };
}
