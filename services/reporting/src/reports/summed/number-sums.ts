import type { DocumentKind } from '@svc/contracts/documents';
import type { Day } from '@svc/kernel';
import type { Outcome, Posting } from '../../postings/posting.ts';

/** A value of each number, or the one that all of them have. */
export type Column<T> = T | T[];

/** What a document is from its issue date on, or from days on. */
type Outcomes = Outcome | [from: Day, outcome: Outcome][];

/** The numbers of a block in one count, in their order, as columns. Documents of several series may share one. */
export interface SeriesNumbers {
  series_key: string;
  series: Column<string>;
  kinds: Column<DocumentKind>;
  currencies: Column<string>;
  seqs: number[];
  numbers: string[];
  documents: string[];
  issued_at: string[];
  outcomes: Outcomes[];
}

/** The first and the last number of a block in a series, and how many there are. */
export type SeriesExtent = [series_key: string, first: number, last: number, count: number];

/** A line for each series, in the order of its extents, so that a report parses one series without the others. */
export const NUMBERS = 'numbers_by_series';
export const EXTENTS = 'series';

/** The numbers of the n-th series of a sum; of all of them without `n`. */
export function parsedNumbers(text: string, n?: number): SeriesNumbers[] {
  const lines = text.split('\n');
  return (n === undefined ? lines : lines.slice(n, n + 1)).map((line) => JSON.parse(line) as SeriesNumbers);
}

type Numbered = Posting & Required<Pick<Posting, 'series' | 'series_key' | 'seq' | 'issued_at'>>;

export const isNumbered = (posting: Posting): posting is Numbered =>
  posting.change === 'numbered' &&
  posting.series !== undefined &&
  posting.series_key !== undefined &&
  posting.seq !== undefined &&
  posting.issued_at !== undefined;

/** Numbers of documents by their whole histories, as texts. */
export function numberSums(histories: readonly (readonly [Posting, ...Posting[]])[]): Record<string, string> {
  const taken = histories.flatMap((history) => (isNumbered(history[0]) ? [{ first: history[0], history }] : []));
  if (taken.length === 0) return {};
  const series = [...Map.groupBy(taken, ({ first }) => first.series_key).values()].map((own) =>
    own.toSorted((a, b) => a.first.seq - b.first.seq || (a.first._id < b.first._id ? -1 : 1)),
  );
  return {
    [EXTENTS]: JSON.stringify(series.map(extentOf)),
    [NUMBERS]: series.map((own) => JSON.stringify(columnsOf(own))).join('\n'),
  };
}

interface Taken {
  first: Numbered;
  history: readonly [Posting, ...Posting[]];
}

function extentOf(own: readonly Taken[]): SeriesExtent {
  const [{ first }, { first: last }] = [own[0], own.at(-1)] as [Taken, Taken];
  return [first.series_key, first.seq, last.seq, own.length];
}

function columnsOf(own: readonly Taken[]): SeriesNumbers {
  const numbers = own.map(({ first }) => first);
  return {
    series_key: numbers[0]?.series_key ?? '',
    series: columnOf(numbers.map(({ series }) => series)),
    kinds: columnOf(numbers.map(({ kind }) => kind)),
    currencies: columnOf(numbers.map(({ currency }) => currency)),
    seqs: numbers.map(({ seq }) => seq),
    numbers: numbers.map(({ number }) => number),
    documents: numbers.map(({ document }) => document),
    issued_at: numbers.map(({ issued_at }) => issued_at),
    outcomes: own.map(({ history }) => outcomesOf(history)),
  };
}

function columnOf<T extends string>(values: T[]): Column<T> {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : values;
}

/** The value of the n-th number. */
export const valueAt = <T extends string>(column: Column<T>, n: number): T => (typeof column === 'string' ? column : (column[n] as T));

/** The last change of a day decides. */
function outcomesOf(history: readonly [Posting, ...Posting[]]): Outcomes {
  const days = [...new Set(history.map(({ day }) => day))].sort();
  const all = days.map((from): [Day, Outcome] => [from, (history.findLast(({ day }) => day <= from) as Posting).outcome]);
  const changes = all.filter(([, outcome], n) => outcome !== all[n - 1]?.[1]);
  return changes.length === 1 ? (changes[0] as [Day, Outcome])[1] : changes;
}

/** The outcome as of a day, which is not before the issue date. */
export const outcomeOn = (day: Day, outcomes: Outcomes): Outcome =>
  typeof outcomes === 'string' ? outcomes : ((outcomes.findLast(([from]) => from <= day) ?? outcomes[0]) as [Day, Outcome])[1];
