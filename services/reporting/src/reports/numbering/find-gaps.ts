import type { NumberGap } from '@svc/contracts/report/rows';
import type { RaisedRow } from '../../postings/raised-numbers.ts';
import { isKnown } from '../reading.ts';
import type { Reading } from '../report.ts';
import { gapsIn, missingIn, type TakenRange } from './gaps.ts';
import { numberBefore } from './number-before.ts';

/**
 * The numbers of a period that no document has, and why, in the order of count and number. What a raise of the period skips is among them, also where no number
 * has followed yet. `taken`: numbers of documents that were issued in it.
 */
export async function findGaps(reading: Reading, taken: readonly TakenRange[]): Promise<NumberGap[]> {
  const skipped = (await raisedIn(reading)).map(({ series_key, to_seq }): TakenRange => ({ series_key, first: to_seq + 1, last: to_seq }));
  const missing = await missingIn([...taken, ...skipped].sort(inOrder), (count, until) => numberBefore(reading, count, until));
  const gaps: NumberGap[] = [];
  for (const range of missing) gaps.push(...gapsIn(range, await raisesOf(reading, range)));
  return gaps;
}

const inOrder = (a: TakenRange, b: TakenRange): number =>
  a.series_key === b.series_key ? a.first - b.first : a.series_key < b.series_key ? -1 : 1;

/** Raises of which an operator has said that the skipped numbers are of documents up to a day of the period. */
async function raisedIn(reading: Reading): Promise<RaisedRow[]> {
  const { account, env, from, to, as_of, ledger } = reading;
  const days = { $gte: from, $lte: to < as_of ? to : as_of };
  const rows = ledger.raised.find({ account, env, issue_date: days }, { sort: { issue_date: 1, _id: 1 } });
  return (await Array.fromAsync(rows)).filter((row) => isKnown(row, reading));
}

/** Those that may skip numbers of a range, in the order of their last numbers. */
async function raisesOf(reading: Reading, range: Pick<NumberGap, 'series_key' | 'from_seq' | 'to_seq'>): Promise<RaisedRow[]> {
  const { account, env, ledger } = reading;
  const { series_key, from_seq, to_seq } = range;
  const raises: RaisedRow[] = [];
  const behind = ledger.raised.find({ account, env, series_key, to_seq: { $gte: from_seq } }, { sort: { to_seq: 1, _id: 1 } });
  for await (const raise of behind) {
    if (isKnown(raise, reading)) raises.push(raise);
    if (raise.to_seq >= to_seq) break;
  }
  return raises;
}
