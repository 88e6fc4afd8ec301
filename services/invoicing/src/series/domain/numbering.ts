import { dayIn, invalid, iso, type Day, type Details, type DomainError } from '@svc/kernel';
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

/** Data of `NumberTaken`. */
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
 * Data of `NumberRefused`: for a reason that the series does not know, the request takes no number. It stands in the series, so that
 * whoever is numbering the same request at the same time takes none either; it spends no number.
 */
export interface NumberRefused {
  document: string;
  /** Which of the document's requests, from 1. */
  request: number;
  details: Details;
  /** Those of the last number before it, as releases that know numbers alone count on from here; `issue_date` null: there is none. */
  seq: number;
  issue_date: Day | null;
}

/** Version of the shape of `NumberRefused` as it is written today. */
export const NUMBER_REFUSED = { type: 'NumberRefused', v: 1 } as const;

/** What stands in a series. */
export type NumberLink = NumberTaken | NumberRefused;

export const isTaken = (link: NumberLink): link is NumberTaken => 'number' in link;

/** A number answers every request of its document, a refusal the one that it names and those before. */
export const answers = (request: number, link: NumberLink): boolean => isTaken(link) || link.request >= request;

export const refusedAfter = (
  last: NumberLink | undefined,
  { first }: Pick<Numbering, 'first'>,
  refused: Pick<NumberRefused, 'document' | 'request' | 'details'>,
): NumberRefused => ({ ...refused, seq: seqAfter(last, first) - 1, issue_date: last?.issue_date ?? null });

/** Refusals alone leave the series its first number, which may be another by now. */
const seqAfter = (last: NumberLink | undefined, first: number): number => (last && last.issue_date !== null ? last.seq + 1 : first);

/**
 * The document's place after `last`, at `now`. Issue dates never run backwards: a given one before the last is refused, else it is the
 * later of today and the last; a year's count keeps to its year, also when its last documents are numbered after midnight.
 */
export function numberAfter(last: NumberLink | undefined, numbering: Numbering, document: string, now: number): NumberTaken | DomainError {
  const { issue_date: given, year, first } = numbering;
  const newest = last?.issue_date ?? null;
  if (given !== null && newest !== null && given < newest) return backwards(numbering.series, newest);
  const seq = seqAfter(last, first);
  const issue_date = given ?? latest(newest, withinYear(dayIn(numbering.time_zone, now), year));
  return { document, seq, number: formatNumber(numbering.format, { ...numbering, seq }), issued_at: iso(now), issue_date };
}

export const backwards = (series: string, last: Day): DomainError =>
  invalid({ issue_date: [`is before ${last}, the last issue date of series ${series}: dates do not run backwards in a series.`] });

const latest = (a: Day | null, b: Day): Day => (a !== null && a > b ? a : b);
const withinYear = (day: Day, year: string | null): Day => (year !== null && day.slice(0, 4) > year ? `${year}-12-31` : day);
