import type { Day } from '@svc/kernel';
import type { Posting } from '../../postings/posting.ts';
import { isKnown } from '../reading.ts';
import type { Reading } from '../report.ts';
import type { TakenRange } from './gaps.ts';

type Numbers = Pick<Reading, 'account' | 'env' | 'known_at' | 'stored_until' | 'ledger'>;

/** The last number of a count up to this one, which may be of an earlier period; undefined where there is none. */
async function numberBefore(reading: Numbers, series_key: string, until: number): Promise<number | undefined> {
  const { account, env, ledger } = reading;
  const sort = { seq: -1, _id: -1 } as const;
  for await (const earlier of ledger.postings.find({ account, env, series_key, seq: { $lte: until } }, { sort }))
    if (isKnown(earlier, reading)) return earlier.seq;
  return undefined;
}

/**
 * The last number before a range: one that was taken, else the one before those that a raise skips, or before the first of the count; undefined where that is not
 * known.
 */
export async function lastBefore(reading: Numbers, { series_key, first, last }: TakenRange): Promise<number | undefined> {
  const taken = await numberBefore(reading, series_key, first - 1);
  if (taken !== undefined) return taken;
  const { account, env, ledger } = reading;
  if (last < first) {
    const raises = ledger.raised.find({ account, env, series_key, to_seq: { $lte: last } }, { sort: { to_seq: 1, _id: 1 } });
    for await (const raise of raises) if (isKnown(raise, reading)) return raise.after_seq ?? 0;
  }
  for await (const { first_seq } of ledger.postings.find({ account, env, series_key, seq: first }, { limit: 1 }))
    if (first_seq !== undefined) return first_seq - 1;
  return undefined;
}

/** The next number of a count behind one, taken whenever; where there is none, the one behind those that a raise skips. undefined: neither. */
export async function nextAfter(reading: Numbers, series_key: string, after: number): Promise<number | undefined> {
  const { account, env, ledger } = reading;
  const later = ledger.postings.find({ account, env, series_key, seq: { $gt: after } }, { sort: { seq: 1, _id: 1 } });
  for await (const number of later) if (isKnown(number, reading)) return number.seq;
  const raises = ledger.raised.find({ account, env, series_key, to_seq: { $gt: after } }, { sort: { to_seq: -1, _id: -1 } });
  for await (const raise of raises) if (isKnown(raise, reading)) return raise.to_seq + 1;
  return undefined;
}

/** The first number of each count, in the order of counts. */
export async function* firstOfCounts({ account, env, ledger }: Numbers): AsyncGenerator<Posting & { series_key: string }> {
  for (let behind = ''; ;) {
    const found = ledger.postings.find(
      { account, env, series_key: { $gt: behind } },
      { sort: { series_key: 1, seq: 1, _id: 1 }, limit: 1 },
    );
    const [first] = await Array.fromAsync(found);
    if (first?.series_key === undefined) return;
    yield { ...first, series_key: first.series_key };
    behind = first.series_key;
  }
}

/** The next number of a count that is of a later day, or that is behind those that a raise of a later day skips. undefined: neither. */
export async function nextIssuedAfter(reading: Numbers, series_key: string, day: Day): Promise<number | undefined> {
  const { account, env, ledger } = reading;
  const later = ledger.postings.find({ account, env, series_key, issued_on: { $gt: day } }, { sort: { issued_on: 1, seq: 1, _id: 1 } });
  for await (const number of later) if (isKnown(number, reading)) return number.seq;
  const raises = ledger.raised.find({ account, env, series_key, to_seq: { $gt: 0 } }, { sort: { to_seq: 1, _id: 1 } });
  for await (const raise of raises) if (isKnown(raise, reading) && raise.issue_date > day) return raise.to_seq + 1;
  return undefined;
}
