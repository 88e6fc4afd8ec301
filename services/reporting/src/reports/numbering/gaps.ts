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

/** What is known of a count beside the numbers of a period. */
export interface Neighbours {
  /** The last number before a range, or the one before the first of its count; undefined: not known. */
  before(range: TakenRange): Promise<number | undefined>;
  /** The next number behind this one; undefined where there is none. */
  behind(series_key: string, last: number): Promise<number | undefined>;
}

/** What is missing between ranges, before the first one of each count and behind the last one. `taken`: in the order of count and first number. */
export async function missingIn(taken: readonly TakenRange[], { before, behind }: Neighbours): Promise<Range[]> {
  const missing: Range[] = [];
  for (const [series_key, ranges] of Map.groupBy(taken, (range) => range.series_key)) {
    const own: Range[] = [];
    const add = (from_seq: number, to_seq: number): void => {
      const open = own.at(-1);
      if (from_seq > to_seq) return;
      if (open?.to_seq === from_seq - 1) open.to_seq = to_seq;
      else own.push({ series_key, from_seq, to_seq });
    };
    let last = await before(ranges[0] as TakenRange);
    for (const range of ranges) {
      if (last !== undefined) add(last + 1, range.first - 1);
      last = Math.max(range.last, last ?? range.last);
    }
    const next = last === undefined ? undefined : await behind(series_key, last);
    if (last !== undefined && next !== undefined) add(last + 1, next - 1);
    missing.push(...own);
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
