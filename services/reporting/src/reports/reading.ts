import { endOf, type Order } from '../postings/block.ts';
import { filtersOf, type Range } from '../sums/range.ts';
import type { Posting } from '../postings/posting.ts';
import type { Reading } from './report.ts';

/** Postings of one turn, and the approximate size of one in bytes. */
const AT_ONCE = 100;
const POSTING_BYTES = 1_000;

/** The days of a period of which something may count. */
export const periodIn = ({ from, to, as_of }: Pick<Reading, 'from' | 'to' | 'as_of'>): Range => ({
  from,
  to: endOf(to < as_of ? to : as_of),
});

/** Postings with amounts, by day: documents that were registered or voided on a day of the period, by index. */
export async function* countedIn(
  reading: Reading,
  range: Range = periodIn(reading),
): AsyncGenerator<Required<Pick<Posting, 'figures'>> & Posting> {
  for await (const posting of postingsIn(reading, 'counted_on', range))
    if (isKnown(posting, reading) && isSelected(posting, reading) && posting.figures) yield { ...posting, figures: posting.figures };
}

/**
 * The history of each document that was issued on a day from `from` to `to`, by issue date: its postings up to `as_of`, in their order. Documents of every
 * kind and currency.
 */
export async function* historiesIn(reading: Reading, range: Range = periodIn(reading)): AsyncGenerator<[Posting, ...Posting[]]> {
  const { as_of } = reading;
  let history: Posting[] = [];
  for await (const posting of postingsIn(reading, 'issued_on', range)) {
    const [first] = history;
    if (first && first.document !== posting.document) {
      yield history as [Posting, ...Posting[]];
      history = [];
    }
    if (posting.day <= as_of && isKnown(posting, reading)) history.push(posting);
  }
  if (history.length > 0) yield history as [Posting, ...Posting[]];
}

/** Gives way to other requests every 100 postings. */
async function* postingsIn({ account, env, ledger, turn }: Reading, order: Order, range: Range): AsyncGenerator<Posting> {
  let read = 0;
  for (const filter of filtersOf(order, range))
    for await (const posting of ledger.postings.find({ account, env, ...filter }, { sort: { [order]: 1, _id: 1 } })) {
      read += 1;
      if (read % AT_ONCE === 0) await turn(AT_ONCE * POSTING_BYTES);
      yield posting;
    }
}

export const isKnown = (
  { recorded_at, stored }: Pick<Posting, 'recorded_at' | 'stored'>,
  { known_at, stored_until }: Pick<Reading, 'known_at' | 'stored_until'>,
): boolean => (known_at === null || recorded_at <= known_at) && (stored_until === undefined || stored <= stored_until);

export const isSelected = ({ currency, kind }: Pick<Posting, 'currency' | 'kind'>, asked: Pick<Reading, 'currency' | 'kind'>): boolean =>
  (asked.currency === undefined || currency === asked.currency) && (asked.kind === 'all' || asked.kind === `${kind}s`);
