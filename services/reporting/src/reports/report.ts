import type { Grouping, ReportKind } from '@svc/contracts/report/query';
import type { CitedDocument, NumberGap, ReportName } from '@svc/contracts/report/rows';
import type { Day, Env, Turn } from '@svc/kernel';
import type { Ledger } from '../postings/context.ts';
import type { NewestParties } from '../postings/party.ts';
import type { Range } from '../sums/range.ts';
import type { Part } from './part.ts';
import type { RowPosition, Window } from './window.ts';

/** What a report is asked: whose documents, of which days (both inclusive), and what of them was known when. */
export interface Question {
  account: string;
  env: Env;
  from: Day;
  to: Day;
  /** Nothing that belongs to a later day counts. */
  as_of: Day;
  /** Nothing that was recorded later counts, ISO 8601; null: everything. */
  known_at: string | null;
  /** Nothing that was stored in a later epoch counts (`Posting.stored`): of a file, which is the same whenever it is fetched. */
  stored_until?: number;
  currency?: string | undefined;
  kind: ReportKind;
  grouping: Grouping | undefined;
  /** Whether rows name their documents. */
  cites: boolean;
  /** Of a statement: whose. */
  customer?: string;
  /** Of one as PDF: as whom it names the issuer and the customer. */
  parties?: NewestParties;
}

/** Rows of a response: so many behind so many. */
export interface Page {
  skip: number;
  limit: number;
}

/** What a report reads, and how. */
export interface Reading extends Question {
  ledger: Ledger;
  /** The rows that are wanted; all by default. */
  page?: Page;
  /** Of a file: the rows that are held at a time. */
  window?: Window;
  /** The request's: awaited between pieces. */
  turn: Turn;
}

export interface Row {
  /** Its key and currency. */
  id: string;
  /** As published, without the cited documents. */
  fields(): Record<string, unknown>;
  /** The cited documents; empty until `cite` has read them. */
  references: CitedDocument[];
}

export interface Result {
  /** Those of the page, in their order. */
  rows: Row[];
  /** How many rows there are in all. */
  total: number;
  /** Of rows in a window: the last of them, where there are rows behind it. */
  last?: RowPosition | undefined;
  /** Of all rows: one a currency. */
  totals: object[];
  /** Of the report of numbers. */
  certificate?: { complete: boolean; gaps: NumberGap[]; sha256: string };
}

/** The columns of a report's CSV, in their order. */
export interface Columns {
  /** What identifies a row, and describes it. */
  of: readonly string[];
  /** Its figures. */
  sums: readonly string[];
  /** With citations, in place of the figures: those of a cited document. */
  cited: readonly string[];
}

/** Whether the row behind so many others is wanted. */
export const isOnPage = (before: number, { page }: Pick<Reading, 'page'>): boolean =>
  page === undefined || (before >= page.skip && before < page.skip + page.limit);

/** Of all rows, those that are wanted. */
export const pageOf = <T>(rows: readonly T[], { page }: Pick<Reading, 'page'>): T[] =>
  page === undefined ? [...rows] : rows.slice(page.skip, page.skip + page.limit);

export const CITED = ['document_id', 'number', 'amount'] as const;

export interface Report {
  name: ReportName;
  description: string;
  /** Values of `group_by`; empty when the report takes none. */
  groupings: readonly Grouping[];
  columns(grouping: Grouping | undefined): Columns;
  /** Throws `invalid_request` where the result would be too large. */
  run(reading: Reading): Promise<Result>;
  /** The documents that its rows cite, of a range of the days that it reads; for files of any length. */
  cited?(reading: Reading, range?: Range): AsyncIterable<Cited>;
  /** Its rows one by one, where there may be more than `run` returns. */
  lines?(reading: Reading): AsyncIterable<Record<string, unknown>>;
}

/** A document by its day, in the order of days, and its parts of rows. */
export interface Cited {
  day: Day;
  parts: readonly Part[];
}
