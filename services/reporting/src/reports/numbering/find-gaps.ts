import type { NumberGap } from '@svc/contracts/report/rows';
import type { Day } from '@svc/kernel';
import type { RaisedRow } from '../../postings/raised-numbers.ts';
import { isKnown } from '../reading.ts';
import type { Reading } from '../report.ts';
import { gapsIn, missingIn, type TakenRange } from './gaps.ts';
import { firstOfCounts, lastBefore, nextAfter, nextIssuedAfter } from './number-before.ts';

/**
 * The numbers that no document is known to have and that may be of the period, and why, in the order of count and number. A number is of a day between those of the
 * numbers before and behind it, whatever the day of the question: one that is missing between two periods is a gap of both, and one before the first number of a
 * count of each period since the count began. What a raise of the period skips is among them, also where no number has followed yet. `taken`: numbers of documents that were issued in it.
 */
export async function findGaps(reading: Reading, taken: readonly TakenRange[]): Promise<NumberGap[]> {
  const skipped = (await raisedIn(reading)).map(({ series_key, to_seq }): TakenRange => ({ series_key, first: to_seq + 1, last: to_seq }));
  const own = [...taken, ...skipped].sort(inOrder);
  const missing = await missingIn(own, {
    before: (range) => lastBefore(reading, range),
    behind: (series_key, last) => nextAfter(reading, series_key, last),
  });
  missing.push(...(await missingAround(reading, new Set(own.map(({ series_key }) => series_key)))));
  missing.sort((a, b) => (a.series_key === b.series_key ? a.from_seq - b.from_seq : a.series_key < b.series_key ? -1 : 1));
  const gaps: NumberGap[] = [];
  for (const range of missing) gaps.push(...gapsIn(range, await raisesOf(reading, range)));
  return gaps;
}

type Missing = Pick<NumberGap, 'series_key' | 'from_seq' | 'to_seq'>;

const inOrder = (a: TakenRange, b: TakenRange): number =>
  a.series_key === b.series_key ? a.first - b.first : a.series_key < b.series_key ? -1 : 1;

const endOf = ({ to, as_of }: Pick<Reading, 'to' | 'as_of'>): Day => (to < as_of ? to : as_of);

/** What is missing of counts without a number of the period, between the number before it, or the beginning of the count, and the one behind it. */
async function missingAround(reading: Reading, counts: ReadonlySet<string>): Promise<Missing[]> {
  const missing: Missing[] = [];
  const end = endOf(reading);
  let read = 0;
  for await (const { series_key } of firstOfCounts(reading)) {
    read += 1;
    if (read % AT_ONCE === 0) await reading.turn(AT_ONCE * POSTING_BYTES);
    if (counts.has(series_key) || beginOf(series_key) > end) continue;
    const next = await nextIssuedAfter(reading, series_key, end);
    const last = next === undefined ? undefined : await lastBefore(reading, { series_key, first: next, last: next });
    if (next !== undefined && last !== undefined && last < next - 1) missing.push({ series_key, from_seq: last + 1, to_seq: next - 1 });
  }
  return missing;
}

/** The first day that a number of a count may be of: of its year, where its key ends with one. */
const beginOf = (series_key: string): Day => `${/\.(\d{4})$/.exec(series_key)?.[1] ?? '0000'}-01-01`;

const AT_ONCE = 100;
const POSTING_BYTES = 1_000;

/** Raises of which an operator has said that the skipped numbers are of documents up to a day of the period. */
async function raisedIn(reading: Reading): Promise<RaisedRow[]> {
  const { account, env, from, ledger } = reading;
  const days = { $gte: from, $lte: endOf(reading) };
  const rows = ledger.raised.find({ account, env, issue_date: days }, { sort: { issue_date: 1, _id: 1 } });
  return (await Array.fromAsync(rows)).filter((row) => isKnown(row, reading));
}

/** Those that may skip numbers of a range, in the order of their last numbers. */
async function raisesOf(reading: Reading, { series_key, from_seq, to_seq }: Missing): Promise<RaisedRow[]> {
  const { account, env, ledger } = reading;
  const raises: RaisedRow[] = [];
  const behind = ledger.raised.find({ account, env, series_key, to_seq: { $gte: from_seq } }, { sort: { to_seq: 1, _id: 1 } });
  for await (const raise of behind) {
    if (isKnown(raise, reading)) raises.push(raise);
    if (raise.to_seq >= to_seq) break;
  }
  return raises;
}
