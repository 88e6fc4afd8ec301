import type { Collection, Filter } from '@svc/document-store';
import type { Turn } from '@svc/kernel';
import { LRUCache } from 'lru-cache';
import type { Changes, Moment, Tenant } from './changes.ts';
import type { Row } from './projection.ts';

/** Slices that are counted in one turn. */
const AT_ONCE = 2;
/** Times that the slices are counted again which were written while the others were counted. */
const AGAIN = 3;
const BYTES_OF_A_NUMBER = 8;
/** Filters whose counts are remembered, and the numbers that these hold in all, one for a slice: 4 MiB, the texts of the filters included. */
const REMEMBERED = { filters: 1_000, slices: 500_000 };

/** How many rows of an account and environment match: in all, and in each slice of `size` ordinals, from the first; at one moment where this process knows. */
export interface Matches {
  total: number;
  slices: readonly number[];
  size: number;
}

/**
 * Counts the rows that match a filter, exactly, slice by slice, with a turn now and then, so that no account holds up others. A slice is counted again
 * when a row of it has been written since, also during the count, and all where this process does not know.
 */
export function createMatches<R extends Row>(rows: Pick<Collection<R>, 'count' | 'highest'>, changes: Changes) {
  const { size } = changes;
  const counted = new LRUCache<string, Matches & { moment: Moment }>({
    max: REMEMBERED.filters,
    maxSize: REMEMBERED.slices,
    sizeCalculation: ({ slices }, key) => slices.length + Math.ceil(key.length / BYTES_OF_A_NUMBER) + 1,
  });

  /** `known`: counts that hold but for the slices of `changed`, and for those behind them. */
  async function count(
    tenant: Tenant,
    filter: Filter,
    known: readonly number[],
    changed: ReadonlySet<number>,
    turn: Turn,
  ): Promise<Matches> {
    const highest = (await rows.highest('ordinal', { ...tenant })) ?? 0;
    const slices: number[] = [];
    let [total, now] = [0, 0];
    for (let n = 0; n * size < highest; n += 1) {
      let found = changed.has(n) ? undefined : known[n];
      if (found === undefined) {
        if (now > 0 && now % AT_ONCE === 0) await turn(0);
        found = await rows.count({ ...filter, ...tenant, ordinal: { $gt: n * size, $lte: (n + 1) * size } }, turn);
        now += 1;
      }
      slices.push(found);
      total += found;
    }
    return { total, slices, size };
  }

  return async ({ account, env }: Tenant, filter: Filter, turn: Turn): Promise<Matches> => {
    const tenant = { account, env };
    const key = JSON.stringify([account, env, filter]);
    const before = counted.get(key);
    let moment = changes.now();
    let changed = before && changes.since(tenant, before.moment);
    if (changed?.size === 0) return before as Matches;
    let matches = await count(tenant, filter, (changed && before?.slices) ?? [], changed ?? new Set(), turn);
    for (let n = 0; moment && n < AGAIN; n += 1) {
      changed = changes.since(tenant, moment);
      if (!changed || changed.size === 0) break;
      moment = changes.now();
      matches = await count(tenant, filter, matches.slices, changed, turn);
    }
    if (moment) counted.set(key, { ...matches, moment });
    return matches;
  };
}
