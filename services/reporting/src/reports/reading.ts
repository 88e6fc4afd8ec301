import type { Posting } from '../postings/posting.ts';
import type { Reading } from './report.ts';

/** Postings of one turn, and the approximate size of one in bytes. */
const AT_ONCE = 100;
const POSTING_BYTES = 1_000;

/** Postings with amounts, by day: documents that were registered or voided on a day of the period, by index. */
export async function* countedIn(reading: Reading): AsyncGenerator<Required<Pick<Posting, 'figures'>> & Posting> {
  const { account, env, from, to, as_of } = reading;
  const days = { $gte: from, $lte: to < as_of ? to : as_of };
  const found = reading.ledger.postings.find({ account, env, counted_on: days }, { sort: { counted_on: 1, _id: 1 } });
  for await (const posting of inTurns(found, reading))
    if (isKnown(posting, reading) && isSelected(posting, reading) && posting.figures) yield { ...posting, figures: posting.figures };
}

/**
 * The history of each document that was issued on a day from `from` to `to`, by issue date: its postings up to `as_of`, in their order. Documents of every
 * kind and currency.
 */
export async function* historiesIn(reading: Reading): AsyncGenerator<[Posting, ...Posting[]]> {
  const { account, env, from, to, as_of } = reading;
  const days = { $gte: from, $lte: to < as_of ? to : as_of };
  const found = reading.ledger.postings.find({ account, env, issued_on: days }, { sort: { issued_on: 1, _id: 1 } });
  let history: Posting[] = [];
  for await (const posting of inTurns(found, reading)) {
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
async function* inTurns(found: AsyncIterable<Posting>, { turn }: Pick<Reading, 'turn'>): AsyncGenerator<Posting> {
  let read = 0;
  for await (const posting of found) {
    read += 1;
    if (read % AT_ONCE === 0) await turn(AT_ONCE * POSTING_BYTES);
    yield posting;
  }
}

export const isKnown = ({ recorded_at }: Pick<Posting, 'recorded_at'>, { known_at }: Pick<Reading, 'known_at'>): boolean =>
  known_at === null || recorded_at <= known_at;

export const isSelected = ({ currency, kind }: Pick<Posting, 'currency' | 'kind'>, asked: Pick<Reading, 'currency' | 'kind'>): boolean =>
  (asked.currency === undefined || currency === asked.currency) && (asked.kind === 'all' || asked.kind === `${kind}s`);
