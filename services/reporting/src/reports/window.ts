import type { Turn } from '@svc/kernel';
import { compare, compareKeys, sortedInTurns, type KeyValue } from './order.ts';

/** Where a row is in the order of rows. */
export interface RowPosition {
  key: KeyValue[];
  currency: string;
}

/** The rows behind one, as many as may be held: a report with more rows is read again for those behind them. */
export interface Window {
  /** undefined: from the first row on. */
  after?: RowPosition | undefined;
  most: number;
}

/** By key, then currency. */
export const rowOrder = (a: RowPosition, b: RowPosition): number => compareKeys(a.key, b.key) || compare(a.currency, b.currency);

/** Of `most` rows, those that are kept where there are more: rows are sorted for each tenth of them. */
const KEPT = 0.9;

/** Which rows are in a window, while they are found in any order. */
export function createWindow({ after, most }: Window) {
  let last: RowPosition | undefined;
  return {
    has: (row: RowPosition): boolean => !(after && rowOrder(row, after) <= 0) && !(last && rowOrder(row, last) > 0),
    /** The rows that are in it no longer, once there are too many. A row that stays has been in it since its first part. */
    async excess<R extends RowPosition>(rows: () => R[], size: number, turn: Turn): Promise<R[]> {
      if (size <= most) return [];
      const sorted = await sortedInTurns(rows(), rowOrder, turn);
      const kept = Math.max(1, Math.floor(most * KEPT));
      last = sorted[kept - 1];
      return sorted.slice(kept);
    },
    /** The last row, where there are rows behind it. */
    last: (): RowPosition | undefined => last,
  };
}
