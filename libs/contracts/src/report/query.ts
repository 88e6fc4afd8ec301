import { PageQuery } from '../http/page.ts';
import { About, IsCurrency, IsDay, IsFlag, IsSentTimestamp, OneOf, Optional } from '../schema/decorators/index.ts';
import { vocabulary } from '../schema/vocabulary.ts';

export const groupings = vocabulary('Grouping', [
  'day',
  'week',
  'month',
  'customer',
  'product',
  'payment_method',
  'device',
  'operator',
  'unit',
  'authority',
]);
export type Grouping = (typeof groupings)[number];
export const reportKinds = vocabulary('ReportKind', ['invoices', 'receipts', 'all']);
export type ReportKind = (typeof reportKinds)[number];

export const reportFormats = vocabulary('ReportFormat', ['json', 'csv']);
export type ReportFormat = (typeof reportFormats)[number];

/** The query of every report. Each report has its own values of `group_by`. */
export class ReportQuery extends PageQuery {
  @About('First day, inclusive; the first of the current month when left out.') @Optional() @IsDay() from?: string;
  @About('Last day, inclusive; the last of the current month when left out.') @Optional() @IsDay() to?: string;
  @About('Only documents issued, voids made and payments dated on or before that day count; today when left out.')
  @Optional()
  @IsDay()
  as_of?: string;
  @About(
    'Only what was recorded by then, at least 5 minutes ago: an answer with it never changes, and its day is today. Absent: everything recorded.',
  )
  @Optional()
  @IsSentTimestamp()
  known_at?: string;
  @About('Only amounts in this currency.') @Optional() @IsCurrency() currency?: string;
  @About('Only invoices, only receipts, or `all`.') @Optional() @OneOf(reportKinds) kind?: ReportKind;
  @About('Adds to each row the documents that sum to it.') @Optional() @IsFlag() cite?: boolean;
  @About('What a row stands for; which values a report knows is its own.') @Optional() @OneOf(groupings) group_by?: Grouping;
  @About('`json` (the default) or `csv`: a link to a file of all rows, of what is known when it is asked for.')
  @Optional()
  @OneOf(reportFormats)
  format?: ReportFormat;
}

export const statementFormats = vocabulary('StatementFormat', [...reportFormats, 'pdf']);
export type StatementFormat = (typeof statementFormats)[number];

/** What is open of a customer. */
export class StatementQuery extends PageQuery {
  @About('Only documents issued, voids made and payments dated on or before that day count; today when left out.')
  @Optional()
  @IsDay()
  as_of?: string;
  @About('Only documents in this currency.') @Optional() @IsCurrency() currency?: string;
  @About(
    '`json` (the default), or `csv` or `pdf`: a link to a file of all items, of what is known when it is asked for. A PDF has at most 5,000.',
  )
  @Optional()
  @OneOf(statementFormats)
  format?: StatementFormat;
}
