import type { NumberGap } from '@svc/contracts/report/rows';
import type { RaisedRow } from '../../postings/raised-numbers.ts';

type Range = Pick<NumberGap, 'series_key' | 'from_seq' | 'to_seq'>;

/** A number of a count: taken, or the last one of those that a raise skips. */
export interface Point {
  series_key: string;
  seq: number;
  isSkipped: boolean;
}

/** What a raise says of the numbers that it skips; `after_seq` null: all that are not known before its last. */
export type Raise = Pick<RaisedRow, 'series_key' | 'after_seq' | 'to_seq'>;

/**
 * The ranges that are missing between numbers, and before the first one of each count. `points`: in the order of count and number, a taken number before a
 * skipped one. `before`: the last number that was taken of a count up to this one; undefined where there is none.
 */
export async function missingIn(
  points: readonly Point[],
  before: (count: Pick<Point, 'series_key'>, until: number) => Promise<number | undefined>,
): Promise<Range[]> {
  const missing: Range[] = [];
  let last: Pick<Point, 'series_key' | 'seq'> | undefined;
  for (const { series_key, seq, isSkipped } of points) {
    const to_seq = isSkipped ? seq : seq - 1;
    const previous = last?.series_key === series_key ? last.seq : await before({ series_key }, to_seq);
    const open = missing.at(-1);
    if (open?.series_key === series_key && open.to_seq === previous && previous < to_seq) open.to_seq = to_seq;
    else if (previous !== undefined && previous < to_seq) missing.push({ series_key, from_seq: previous + 1, to_seq });
    if (previous !== undefined || !isSkipped) last = { series_key, seq };
  }
  return missing;
}

/** A missing range with its reasons: the parts of it that raises skip, and the others. `raises`: of its count, in the order of their last numbers. */
export function gapsIn({ series_key, from_seq, to_seq }: Range, raises: readonly Raise[]): NumberGap[] {
  const gaps: NumberGap[] = [];
  const add = (from: number, to: number, reason: NumberGap['reason']): void => {
    if (from > to) return;
    const last = gaps.at(-1);
    if (last?.reason === reason) last.to_seq = to;
    else gaps.push({ series_key, from_seq: from, to_seq: to, reason });
  };
  let next = from_seq;
  for (const { after_seq, to_seq: raisedTo } of raises) {
    const first = Math.max(next, after_seq === null ? (raisedTo <= to_seq ? next : Infinity) : after_seq + 1);
    const last = Math.min(to_seq, raisedTo);
    if (first > last) continue;
    add(next, first - 1, 'missing');
    add(first, last, 'restored');
    next = last + 1;
  }
  add(next, to_seq, 'missing');
  return gaps;
}
