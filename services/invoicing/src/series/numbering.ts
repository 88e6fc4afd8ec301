import { dayIn, invalid, iso, type Day, type Refusal } from '@svc/kernel';
import { formatNumber } from './format.ts';

/**
 * All that a document's number will depend on besides the one before it, settled when the document asks for it: it stands in the
 * document's own event, so that whoever goes on after a crash makes the same number. `seen` is the series' revision as text.
 */
export interface Numbering {
  stream: string;
  seen: string;
  series: string;
  format: string;
  year: string | null;
  unit: string | null;
  device: string | null;
  /** Of the very first document of the stream. */
  first: number;
  /** As the caller wants it; null: the day of numbering. */
  issue_date: Day | null;
  /** The issuer's. */
  time_zone: string;
}

/** Data of `NumberTaken`, the only event of a series. */
export interface NumberTaken {
  document: string;
  seq: number;
  number: string;
  /** ISO 8601: the moment of numbering. */
  issued_at: string;
  issue_date: Day;
}

/** Version of the shape of `NumberTaken` as it is written today. */
export const NUMBER_TAKEN = { type: 'NumberTaken', v: 1 } as const;

/**
 * The document's place after `last`, at `now`. Issue dates never run backwards: a given one before the last is refused, else it is the
 * later of today and the last; a year's count keeps to its year, also when its last documents are numbered after midnight.
 */
export function numberAfter(last: NumberTaken | undefined, numbering: Numbering, document: string, now: number): NumberTaken | Refusal {
  const { issue_date: given, year, first } = numbering;
  if (given !== null && last && given < last.issue_date) return backwards(numbering.series, last.issue_date);
  const seq = last ? last.seq + 1 : first;
  const issue_date = given ?? latest(last?.issue_date, withinYear(dayIn(numbering.time_zone, now), year));
  return { document, seq, number: formatNumber(numbering.format, { ...numbering, seq }), issued_at: iso(now), issue_date };
}

export const backwards = (series: string, last: Day): Refusal =>
  invalid({ issue_date: [`is before ${last}, the last issue date of series ${series}: dates do not run backwards in a series.`] });

const latest = (a: Day | undefined, b: Day): Day => (a !== undefined && a > b ? a : b);
const withinYear = (day: Day, year: string | null): Day => (year !== null && day.slice(0, 4) > year ? `${year}-12-31` : day);
