import type { Collection, Filter } from '@svc/document-store';
import type { Env, Turn } from '@svc/kernel';
import { LRUCache } from 'lru-cache';
import type { Row } from './projection.ts';

/** Ordinals that are looked through at once: some milliseconds. */
const SLICE = 20_000;
/** Counts that are remembered; each is one number for a slice. */
const REMEMBERED = 1_000;

export interface Tenant {
  account: string;
  env: Env;
}

/** How many rows of an account and environment match: in all, and in each slice of `size` ordinals, from the first. */
export interface Matches {
  total: number;
  slices: readonly number[];
  size: number;
}

/**
 * Counts the rows that match a filter, exactly, slice by slice, with a turn before each but the first, so that no account holds up others. A count is
 * taken again while no row of the account has changed. `lastChange`: names the last change of the account's rows; undefined where this process does
 * not know of all.
 */
export function createMatches<R extends Row>(
  rows: Pick<Collection<R>, 'count' | 'highest'>,
  lastChange: (tenant: Tenant) => string | undefined,
  size = SLICE,
) {
  const counted = new LRUCache<string, Matches & { change: string }>({ max: REMEMBERED });

  async function count(tenant: Tenant, filter: Filter, turn: Turn): Promise<Matches> {
    const highest = (await rows.highest('ordinal', { ...tenant })) ?? 0;
    const slices: number[] = [];
    let total = 0;
    for (let from = 0; from < highest; from += size) {
      if (from > 0) await turn(0);
      const found = await rows.count({ ...filter, ...tenant, ordinal: { $gt: from, $lte: from + size } });
      slices.push(found);
      total += found;
    }
    return { total, slices, size };
  }

  return async ({ account, env }: Tenant, filter: Filter, turn: Turn): Promise<Matches> => {
    const tenant = { account, env };
    const key = JSON.stringify([account, env, filter]);
    const change = lastChange(tenant);
    const known = counted.get(key);
    if (known && known.change === change) return known;
    const matches = await count(tenant, filter, turn);
    if (change !== undefined && change === lastChange(tenant)) counted.set(key, { ...matches, change });
    return matches;
  };
}
