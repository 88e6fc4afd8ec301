import type { Env } from '@svc/kernel';
import type { Row } from './projection.ts';

/**
 * Ordinals that are counted together, in a statement that takes a millisecond at most: smaller ones make more statements of a first count, and larger ones
 * more work after each change and before the first row of a page.
 */
const BLOCK = 10_000;
/** Slices whose last change is remembered: some 100 bytes each. */
const REMEMBERED = 50_000;

export interface Tenant {
  account: string;
  env: Env;
}

/** A point among the changes that this process made. */
export interface ChangePoint {
  epoch: number;
  at: number;
}

/** Which rows of a projection with ordinals this process has written, by block: block `n` holds the ordinals `n * size + 1` to `(n + 1) * size`. */
export interface Changes {
  size: number;
  /** undefined while another process may write the rows. */
  now(): ChangePoint | undefined;
  /** The blocks in which a row of the account was written after this point; undefined where this process does not know. */
  since(tenant: Tenant, point: ChangePoint): ReadonlySet<number> | undefined;
}

/** `epoch`: how often this process has taken the projection over; undefined while it does not run here. */
export function createChanges(epoch: () => number | undefined, { size = BLOCK, remembered = REMEMBERED } = {}) {
  /** By account and environment: when a row of a block was written last. */
  const changed = new Map<string, Map<number, number>>();
  /** Points are counted. What was changed up to `forgotten` is not known. */
  let [at, blocks, forgotten] = [0, 0, 0];

  function add({ account, env, ordinal }: Pick<Row, 'account' | 'env' | 'ordinal'>): void {
    if (ordinal === undefined) return;
    const key = keyOf({ account, env });
    const own = changed.get(key) ?? new Map<number, number>();
    changed.set(key, own);
    const before = own.size;
    own.set(Math.floor((ordinal - 1) / size), at);
    blocks += own.size - before;
  }

  return {
    size,

    now(): ChangePoint | undefined {
      const own = epoch();
      return own === undefined ? undefined : { epoch: own, at };
    },

    since(tenant: Tenant, point: ChangePoint): ReadonlySet<number> | undefined {
      if (point.epoch !== epoch() || point.at < forgotten) return undefined;
      const later = new Set<number>();
      for (const [block, when] of changed.get(keyOf(tenant)) ?? []) if (when > point.at) later.add(block);
      return later;
    },

    /** Call it when these rows are written, also where that was in an attempt before. */
    wrote(rows: Iterable<Pick<Row, 'account' | 'env' | 'ordinal'>>): void {
      at += 1;
      for (const row of rows) add(row);
      if (blocks <= remembered) return;
      changed.clear();
      [blocks, forgotten] = [0, at];
    },
  };
}

const keyOf = ({ account, env }: Tenant): string => `${env} ${account}`;
