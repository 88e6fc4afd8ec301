import type { NumberGap } from '@svc/contracts/report/rows';
import type { RaisedRow } from '../../postings/raised-numbers.ts';

type Range = Pick<NumberGap, 'series_key' | 'from_seq' | 'to_seq'>;

/** Numbers of a count that were taken, without a gap between them. One that ends before it begins has none: what a raise skips ends before it. */
export interface TakenRange {
  series_key: string;
  first: number;
  last: number;
}

/** Adds a number, the next one in the order of counts and numbers, to the ranges before it. */
export function addNumber(ranges: TakenRange[], { series_key, seq }: { series_key: string; seq: number }): void {
  const range = ranges.at(-1);
  if (range?.series_key === series_key && range.last >= seq - 1) range.last = seq;
  else ranges.push({ series_key, first: seq, last: seq });
}

/** What a raise says of the numbers that it skips; `after_seq` null: all that are not known before its last. */
export type Raise = Pick<RaisedRow, 'series_key' | 'after_seq' | 'to_seq'>;

/**
 * What is missing between ranges, and before the first one of each count. `taken`: in the order of count and first number. `before`: the last number that was
 * taken of a count up to this one; undefined where there is none.
 */
export async function missingIn(
  taken: readonly TakenRange[],
  before: (count: Pick<TakenRange, 'series_key'>, until: number) => Promise<number | undefined>,
): Promise<Range[]> {
  const missing: Range[] = [];
  let prior: Pick<TakenRange, 'series_key' | 'last'> | undefined;
  for (const { series_key, first, last } of taken) {
    const to_seq = first - 1;
    const previous = prior?.series_key === series_key ? prior.last : await before({ series_key }, to_seq);
    const open = missing.at(-1);
    if (previous !== undefined && previous < to_seq) {
      if (open?.series_key === series_key && open.to_seq === previous) open.to_seq = to_seq;
      else missing.push({ series_key, from_seq: previous + 1, to_seq });
    }
    if (previous !== undefined || last >= first) prior = { series_key, last: Math.max(last, previous ?? last) };
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
