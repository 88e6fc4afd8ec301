import type { Env } from '@svc/kernel';
import type { Row } from './projection.ts';

/**
 * Ordinals that are counted together, in a statement that takes a millisecond at most: smaller ones make more statements of a first count, and larger ones
 * more work after each change and before the first row of a page.
 */
const SLICE = 10_000;
/** Slices whose last change is remembered: some 100 bytes each. */
const REMEMBERED = 50_000;

export interface Tenant {
  account: string;
  env: Env;
}

/** A moment among the changes that this process made. */
export interface Moment {
  term: number;
  at: number;
}

/** Which rows of a projection with ordinals this process has written, by slice: slice `n` holds the ordinals `n * size + 1` to `(n + 1) * size`. */
export interface Changes {
  size: number;
  /** undefined while another process may write the rows. */
  now(): Moment | undefined;
  /** The slices in which a row of the account was written after this moment; undefined where this process does not know. */
  since(tenant: Tenant, moment: Moment): ReadonlySet<number> | undefined;
}

/** `term`: how often this process has taken the projection over; undefined while it does not run here. */
export function createChanges(term: () => number | undefined, { size = SLICE, remembered = REMEMBERED } = {}) {
  /** By account and environment: when a row of a slice was written last. */
  const changed = new Map<string, Map<number, number>>();
  /** Moments are counted. What was changed up to `forgotten` is not known. */
  let [at, slices, forgotten] = [0, 0, 0];

  function add({ account, env, ordinal }: Pick<Row, 'account' | 'env' | 'ordinal'>): void {
    if (ordinal === undefined) return;
    const key = keyOf({ account, env });
    const own = changed.get(key) ?? new Map<number, number>();
    changed.set(key, own);
    const before = own.size;
    own.set(Math.floor((ordinal - 1) / size), at);
    slices += own.size - before;
  }

  return {
    size,

    now(): Moment | undefined {
      const own = term();
      return own === undefined ? undefined : { term: own, at };
    },

    since(tenant: Tenant, moment: Moment): ReadonlySet<number> | undefined {
      if (moment.term !== term() || moment.at < forgotten) return undefined;
      const later = new Set<number>();
      for (const [slice, when] of changed.get(keyOf(tenant)) ?? []) if (when > moment.at) later.add(slice);
      return later;
    },

    /** Call it when these rows are written, also where that was in an attempt before. */
    wrote(rows: Iterable<Pick<Row, 'account' | 'env' | 'ordinal'>>): void {
      at += 1;
      for (const row of rows) add(row);
      if (slices <= remembered) return;
      changed.clear();
      [slices, forgotten] = [0, at];
    },
  };
}

const keyOf = ({ account, env }: Tenant): string => `${env} ${account}`;
