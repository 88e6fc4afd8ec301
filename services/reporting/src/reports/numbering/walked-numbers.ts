import { postingId, type Posting } from '../../postings/posting.ts';
import { isKnown } from '../reading.ts';
import type { Reading } from '../report.ts';
import { firstOfCounts } from './number-before.ts';
import { numberIn, type TakenNumber } from './taken-number.ts';

const AT_ONCE = 100;
const POSTING_BYTES = 1_000;

/** The numbers of the period in their order, some at once, read count by count: no more of them is held. */
export async function* walkedNumbers(reading: Reading): AsyncGenerator<readonly TakenNumber[]> {
  let read = 0;
  let numbers: TakenNumber[] = [];
  for await (const numbered of numbersIn(reading)) {
    read += 1;
    if (read % AT_ONCE === 0) {
      yield numbers;
      numbers = [];
      await reading.turn(AT_ONCE * POSTING_BYTES);
    }
    if (!isAsked(numbered, reading)) continue;
    const taken = numberIn(await historyOf(numbered, reading), reading);
    if (taken) numbers.push(taken);
  }
  yield numbers;
}

const isAsked = (numbered: Posting, reading: Reading): boolean =>
  numbered.issued_on >= reading.from &&
  numbered.issued_on <= (reading.to < reading.as_of ? reading.to : reading.as_of) &&
  isKnown(numbered, reading);

async function* numbersIn(reading: Reading): AsyncGenerator<Posting> {
  const { account, env, ledger } = reading;
  for await (const { series_key } of firstOfCounts(reading))
    yield* ledger.postings.find({ account, env, series_key }, { sort: { series_key: 1, seq: 1, _id: 1 } });
}

async function historyOf(numbered: Posting, reading: Reading): Promise<[Posting, ...Posting[]]> {
  const { document, _id } = numbered;
  const later = reading.ledger.postings.find({ _id: { $gt: _id, $lte: postingId(document, 9_999) } }, { sort: { _id: 1 } });
  const history = await Array.fromAsync(later);
  return [numbered, ...history.filter((posting) => posting.day <= reading.as_of && isKnown(posting, reading))];
}
