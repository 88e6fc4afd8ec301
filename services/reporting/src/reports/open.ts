import type { OpenDocuments } from '@svc/contracts/report/resource';
import type { Day } from '@svc/kernel';
import { historiesIn, isSelected } from './reading.ts';
import type { Range } from '../sums/range.ts';
import type { Reading } from './report.ts';
import { issuedPieces, OPEN, type Open } from './summed/issued.ts';

/** Documents that were numbered in the period and have no outcome yet. `today`: in the issuer's time zone. */
export async function openDocuments(reading: Reading, today: Day): Promise<OpenDocuments> {
  let documents = 0;
  let oldest: Day | null = null;
  for await (const day of reading.known_at === null && reading.as_of >= today ? openNow(reading) : openThen(reading)) {
    documents += 1;
    if (oldest === null || day < oldest) oldest = day;
  }
  return { documents, oldest_issue_date: oldest };
}

/** Their issue dates: as it is known now. */
async function* openNow(reading: Reading): AsyncGenerator<Day> {
  const { account, env, from, to, as_of, ledger } = reading;
  const days = { $gte: from, $lte: to < as_of ? to : as_of };
  for await (const { open_on, ...known } of ledger.known.find({ account, env, open_on: days }, { sort: { open_on: 1, _id: 1 } }))
    if (open_on !== null && isSelected(known, reading)) yield open_on;
}

/** The same as it was on the day, or known at the time. */
async function* openThen(reading: Reading): AsyncGenerator<Day> {
  for await (const piece of issuedPieces(reading, () => [OPEN])) {
    if ('texts' in piece) for (const text of piece.texts.values()) yield* openIn(JSON.parse(text) as Open[], reading);
    else yield* readOpen(reading, piece);
  }
}

function* openIn(sums: readonly Open[], reading: Reading): Generator<Day> {
  for (const [kind, currency, issuedOn, from, until] of sums) {
    const isThen = from <= reading.as_of && (until === null || reading.as_of < until);
    if (isThen && isSelected({ kind, currency }, reading)) yield issuedOn;
  }
}

async function* readOpen(reading: Reading, range: Range): AsyncGenerator<Day> {
  for await (const history of historiesIn(reading, range)) {
    const { outcome } = history.at(-1) ?? history[0];
    if (isSelected(history[0], reading) && (outcome === 'pending' || outcome === 'unknown')) yield history[0].issued_on;
  }
}
