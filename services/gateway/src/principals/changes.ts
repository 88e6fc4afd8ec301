import { LRUCache } from 'lru-cache';

const MOST_NOTED = 20_000;

/** What this process has changed, by id, in the order of a count. */
export interface Changes {
  /** Of the changes so far. */
  count(): number;
  note(ids: readonly string[]): void;
  /** Whether one of these was changed after so many changes. True also where that is not known any more. */
  isSince(ids: readonly string[], count: number): boolean;
}

export function createChanges(): Changes {
  let count = 0;
  /** That of the newest change that is not noted any more. */
  let dropped = 0;
  const noted = new LRUCache<string, number>({
    max: MOST_NOTED,
    dispose: (at, _, reason) => {
      if (reason === 'evict') dropped = Math.max(dropped, at);
    },
  });
  return {
    count: () => count,
    note(ids) {
      count += 1;
      for (const id of ids) noted.set(id, count);
    },
    isSince: (ids, since) => dropped > since || ids.some((id) => (noted.get(id) ?? 0) > since),
  };
}
