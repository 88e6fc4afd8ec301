import type { Fate } from '@svc/contracts/report/rows';
import type { Outcome, Posting } from '../../postings/posting.ts';
import { isSelected } from '../reading.ts';
import type { Reading } from '../report.ts';
import { isNumbered, outcomeOn, valueAt, type SeriesNumbers } from '../summed/number-sums.ts';

export interface TakenNumber {
  series: string;
  series_key: string;
  number: string;
  seq: number;
  document_id: string;
  issued_at: string;
  fate: Fate;
  isSelected: boolean;
}

const fateOf = (outcome: Outcome): Fate => (outcome === 'unknown' ? 'pending' : outcome);

/** Of what is known of a document as of the day of the question. The last change of the outcome decides; a payment changes none. */
export function numberIn(history: readonly [Posting, ...Posting[]], reading: Reading): TakenNumber | undefined {
  const [first] = history;
  if (!isNumbered(first)) return undefined;
  const { series, series_key, number, seq, document: document_id, issued_at } = first;
  const fate = fateOf((history.at(-1) ?? first).outcome);
  return { ...{ series, series_key, number, seq, document_id, issued_at, fate }, isSelected: isSelected(first, reading) };
}

/** Those of a sum. */
export const numbersIn = ({ series_key, ...columns }: SeriesNumbers, reading: Reading): TakenNumber[] =>
  columns.seqs.map((seq, n) => ({
    series: valueAt(columns.series, n),
    series_key,
    number: columns.numbers[n] ?? '',
    seq,
    document_id: columns.documents[n] ?? '',
    issued_at: columns.issued_at[n] ?? '',
    fate: fateOf(outcomeOn(reading.as_of, columns.outcomes[n] ?? [])),
    isSelected: isSelected({ kind: valueAt(columns.kinds, n), currency: valueAt(columns.currencies, n) }, reading),
  }));

/** By count, number and document. */
export function inOrder(a: TakenNumber, b: TakenNumber): number {
  if (a.series_key !== b.series_key) return a.series_key < b.series_key ? -1 : 1;
  return a.seq - b.seq || (a.document_id < b.document_id ? -1 : 1);
}
