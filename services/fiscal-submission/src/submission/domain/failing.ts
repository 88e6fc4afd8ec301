import { REFUSED_TOGETHER, type Ending } from './facts.ts';

/** Answers in a row by which the authority has failed at one record. Times are ISO 8601. */
export interface Failing {
  /** null: so far only sendings of several records were refused. */
  code: string | null;
  /** Of the record itself. */
  times: number;
  /** Of the first sending with it that was refused. */
  since: string;
  /** Of the first one of it alone, or of its own line; null: there is none yet. */
  alone: string | null;
}

/** How often the authority may fail at one record. What comes behind it in its chain waits meanwhile. */
export const MOST_FAILURES = 5;

/** Whether the next failure with this code is one too many. */
export const hasFailedTooOften = (code: string, failing: Failing | null): boolean =>
  failing?.code === code && failing.times + 1 >= MOST_FAILURES;

/** A call without an answer, and what is said of another record or of none, neither ends the row nor counts. */
export function failingAfter(before: Failing | null, { verdict, error, http_status, at }: Ending): Failing | null {
  if (http_status === null || verdict === 'absent') return before;
  if (error?.code === REFUSED_TOGETHER) return before ?? { code: null, times: 0, since: at, alone: null };
  if (verdict !== 'deferred' || error === null) return null;
  if (before?.code === error.code) return { ...before, times: before.times + 1 };
  return { code: error.code, times: 1, since: before?.code === null ? before.since : at, alone: at };
}
