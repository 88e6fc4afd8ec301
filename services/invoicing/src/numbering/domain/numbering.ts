import { dayIn, DomainError, invalid, iso, millisOf, type Day, type Details } from '@svc/kernel';
import { formatNumber } from './format.ts';

/**
 * Everything that a document's number depends on besides the previous number, fixed when the document requests it and stored in the
 * document's own event, so that every process that continues after a crash assigns the same number. `seen` is the series' revision as text.
 */
export interface Numbering {
  stream: string;
  seen: string;
  series: string;
  format: string;
  year: string | null;
  unit: string | null;
  device: string | null;
  /** The number of the stream's very first document. */
  first: number;
  /** As the caller requested; null: the day of numbering. */
  issue_date: Day | null;
  /** When payment is due: the issue date is not after it. Absent: none. until 0.3: or requested by a replica of 0.1.0. */
  due_date?: Day;
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

/** The version of `NumberTaken` that is written today. */
export const NUMBER_TAKEN = { type: 'NumberTaken', v: 1 } as const;

/**
 * Data of `NumberRefused`: for a reason outside the series, the request takes no number. It is stored in the series, so that concurrent
 * processes that number the same request take none either; it uses no number.
 */
export interface NumberRefused {
  document: string;
  /** Which of the document's requests, from 1. */
  request: number;
  details: Details;
  /** The count and date of the last number before it, from which releases that only know numbers continue; `issue_date` null: there is none. */
  seq: number;
  issue_date: Day | null;
  /** Of the last number before it; absent where there is none. Until 0.3 also in events of 0.1.0. */
  issued_at?: string;
}

/** The version of `NumberRefused` that is written today. */
export const NUMBER_REFUSED = { type: 'NumberRefused', v: 1 } as const;

/**
 * Data of `NumbersRaised`: an operator has said that numbers up to `seq` are in use although the series does not have them, since it was
 * restored from an earlier backup. The series continues behind it.
 */
export interface NumbersRaised {
  /** `raised:<seq>`: names no document, so it answers no request. */
  document: string;
  seq: number;
  /** The last number before it, taken or raised to; where there is none, the one before the count's first. Until 0.3 absent in events of 0.1.0. */
  after?: number;
  /** The last issue date in use. */
  issue_date: Day;
  /** Of the last number that the series has; absent where it has none. Until 0.3 also in events of 0.1.0. */
  issued_at?: string;
}

/** The version of `NumbersRaised` that is written today. */
export const NUMBERS_RAISED = { type: 'NumbersRaised', v: 1 } as const;

/** An event of a series. */
export type NumberLink = NumberTaken | NumberRefused | NumbersRaised;

export const isTaken = (link: NumberLink): link is NumberTaken => 'number' in link;

/** A number answers every request of its document; a refusal answers the one that it names and earlier ones. */
export const answers = (request: number, link: NumberLink): boolean => isTaken(link) || ('request' in link && link.request >= request);

export const refusedAfter = (
  last: NumberLink | undefined,
  { first }: Pick<Numbering, 'first'>,
  refused: Pick<NumberRefused, 'document' | 'request' | 'details'>,
): NumberRefused => ({ ...refused, seq: seqAfter(last, first) - 1, issue_date: last?.issue_date ?? null, ...issuedAtOf(last) });

/**
 * The first number of a count, as what has `seq` in it knows: `first` is what began it where it had none. One above `seq` did not begin it: its year continued
 * an earlier one, from 1.
 */
export const firstSeq = (first: number, seq: number): number => (seq >= first ? first : 1);

/** For what follows a number and is none: the moment of the number before, where one is known. */
export const issuedAtOf = (last: NumberLink | undefined): { issued_at?: string } =>
  last?.issued_at === undefined ? {} : { issued_at: last.issued_at };

/** After refusals only, the series still has its first number, which may have been changed meanwhile. */
const seqAfter = (last: NumberLink | undefined, first: number): number => (last && last.issue_date !== null ? last.seq + 1 : first);

/**
 * The document's number after `last`, at `now`. Issue dates never decrease: a given date before the last one is refused, else it is the
 * later of today and the last; moments of numbering never decrease either, whatever the clock says. A year's count keeps to its year, also when its last documents are numbered after midnight, and so does a document that
 * was due on the day before. Refused where the last date is after its due date: what is refused here is so for every actor, as the last date never decreases.
 */
export function numberAfter(last: NumberLink | undefined, numbering: Numbering, document: string, now: number): NumberTaken | DomainError {
  const { issue_date: given, due_date: due, year, first } = numbering;
  const newest = last?.issue_date ?? null;
  if (given !== null && newest !== null && given < newest) return backwards(numbering.series, newest);
  const seq = seqAfter(last, first);
  const issue_date = given ?? latest(newest, withinDue(withinYear(dayIn(numbering.time_zone, now), year), due));
  if (due !== undefined && due < issue_date) return invalid(dueBeforeIssue(due, issue_date));
  const issued_at = latest(last?.issued_at ?? null, iso(now));
  return { document, seq, number: formatNumber(numbering.format, { ...numbering, seq }), issued_at, issue_date };
}

/** A refusal by the clock of one actor, which another one may not find: it holds for all once it is stored in the series. */
export class AnotherDay extends DomainError {
  constructor(details: Details) {
    const { code, message } = invalid(details);
    super(code, message, details);
  }
}

/**
 * For a document that its authority registers as of when it took its number, by the wall clock of the zone: undefined where that is on the issue date. Else it would be registered as of
 * another day than it shows, perhaps of another year than its number.
 */
export function onAnotherDay({ issued_at, issue_date }: NumberTaken, { issue_date: given, due_date: due }: Numbering, zone: string) {
  const day = dayIn(zone, millisOf(issued_at));
  if (issue_date === day) return undefined;
  if (given === null && due !== undefined && due < day) return new AnotherDay(dueBeforeIssue(due, day));
  const todo = given === null ? 'Send the request again, with a new Idempotency-Key.' : 'Set it to null.';
  return new AnotherDay({
    issue_date: [`would be ${issue_date}, and the number is taken on ${day}: the authority registers a document as of that day. ${todo}`],
  });
}

export const backwards = (series: string, last: Day): DomainError =>
  invalid({ issue_date: [`is before ${last}, the last issue date of series ${series}: dates do not run backwards in a series.`] });

/** For a document that is due before it is issued. */
export const dueBeforeIssue = (due: Day, issued: Day): Details => ({
  due_date: [`${due} is before the issue date, ${issued}: PATCH due_date to ${issued} or later, or to null.`],
});

/** The day, or the one on which payment is due: the request was made on or before it. */
const withinDue = (day: Day, due: Day | undefined): Day => (due !== undefined && day > due ? due : day);

/** Of two days, or of two moments as ISO 8601. */
const latest = (a: string | null, b: string): string => (a !== null && a > b ? a : b);
/** The day, or the last one of the year that a series keeps to. */
export const withinYear = (day: Day, year: string | null): Day => (year !== null && day.slice(0, 4) > year ? `${year}-12-31` : day);
