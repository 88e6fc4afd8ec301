import { LRUCache } from 'lru-cache';

/** Calls with what is dropped because there are too many, not with what is replaced or deleted. */
type Dropped<V> = (value: V, key: string) => void;

/**
 * A cache of at most so many values by key, which drops those that were used least recently. It takes memory as it fills: with its option `max` the library
 * makes the lists of all entries at once, and the caches of a process together took 3 MiB and 20 ms of its start.
 */
export const recentlyUsed = <V extends NonNullable<unknown>>(most: number, dropped?: Dropped<V>): LRUCache<string, V> =>
  new LRUCache({
    maxSize: most,
    sizeCalculation: () => 1,
    ...(dropped && {
      dispose: (value: V, key: string, reason: LRUCache.DisposeReason) => (reason === 'evict' ? dropped(value, key) : undefined),
    }),
  });
