import type { Collection, Filter } from '@svc/document-store';
import type { Turn } from '@svc/kernel';
import { LRUCache } from 'lru-cache';
import type { Changes, ChangePoint, Tenant } from './changes.ts';
import type { Row } from './projection.ts';

/** Slices that are counted in one turn. */
const AT_ONCE = 2;
/** Times that the blocks are counted again which were written while the others were counted. */
const AGAIN = 3;
const BYTES_OF_A_NUMBER = 8;
/** Filters whose counts are remembered, and the numbers that these hold in all, one for a block: 4 MiB, the texts of the filters included. */
const REMEMBERED = { filters: 1_000, blocks: 500_000 };

/** How many rows of an account and environment match: in all, and in each block of `size` ordinals, from the first; at one point where this process knows. */
export interface Matches {
  total: number;
  blocks: readonly number[];
  size: number;
}

/**
 * Counts the rows that match a filter, exactly, block by block, with a turn now and then, so that no account holds up others. A block is counted again
 * when a row of it has been written since, also during the count, and all where this process does not know.
 */
export function createMatches<R extends Row>(rows: Pick<Collection<R>, 'count' | 'highest'>, changes: Changes) {
  const { size } = changes;
  const counted = new LRUCache<string, Matches & { point: ChangePoint }>({
    max: REMEMBERED.filters,
    maxSize: REMEMBERED.blocks,
    sizeCalculation: ({ blocks }, key) => blocks.length + Math.ceil(key.length / BYTES_OF_A_NUMBER) + 1,
  });

  /** `known`: counts that hold but for the blocks of `changed`, and for those behind them. */
  async function count(
    tenant: Tenant,
    filter: Filter,
    known: readonly number[],
    changed: ReadonlySet<number>,
    turn: Turn,
  ): Promise<Matches> {
    const highest = (await rows.highest('ordinal', { ...tenant })) ?? 0;
    const blocks: number[] = [];
    let [total, now] = [0, 0];
    for (let n = 0; n * size < highest; n += 1) {
      let found = changed.has(n) ? undefined : known[n];
      if (found === undefined) {
        if (now > 0 && now % AT_ONCE === 0) await turn(0);
        found = await rows.count({ ...filter, ...tenant, ordinal: { $gt: n * size, $lte: (n + 1) * size } }, turn);
        now += 1;
      }
      blocks.push(found);
      total += found;
    }
    return { total, blocks, size };
  }

  return async ({ account, env }: Tenant, filter: Filter, turn: Turn): Promise<Matches> => {
    const tenant = { account, env };
    const key = JSON.stringify([account, env, filter]);
    const before = counted.get(key);
    let point = changes.now();
    let changed = before && changes.since(tenant, before.point);
    if (changed?.size === 0) return before as Matches;
    let matches = await count(tenant, filter, (changed && before?.blocks) ?? [], changed ?? new Set(), turn);
    for (let n = 0; point && n < AGAIN; n += 1) {
      changed = changes.since(tenant, point);
      if (!changed || changed.size === 0) break;
      point = changes.now();
      matches = await count(tenant, filter, matches.blocks, changed, turn);
    }
    if (point) counted.set(key, { ...matches, point });
    return matches;
  };
}
