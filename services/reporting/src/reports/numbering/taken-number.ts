import type { Fate } from '@svc/contracts/report/rows';
import type { Posting } from '../../postings/posting.ts';

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

/** The last change of the outcome decides; a payment changes none. */
export function numberIn(history: readonly [Posting, ...Posting[]], isSelected: boolean): TakenNumber | undefined {
  const [{ change, document, number, series, series_key, seq, issued_at }] = history;
  if (change !== 'numbered' || series === undefined || series_key === undefined || seq === undefined || issued_at === undefined)
    return undefined;
  const { outcome } = history.at(-1) as Posting;
  return {
    series,
    series_key,
    number,
    seq,
    document_id: document,
    issued_at,
    fate: outcome === 'unknown' ? 'pending' : outcome,
    isSelected,
  };
}
