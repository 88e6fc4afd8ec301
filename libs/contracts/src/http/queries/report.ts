import { IsCurrency, IsDay, IsFlag, OneOf, Optional } from '../decorators/index.ts';
import { PageQuery } from './page.ts';

export const groupings = ['day', 'week', 'month', 'customer', 'product', 'authority'] as const;
export type Grouping = (typeof groupings)[number];
export const reportKinds = ['invoices', 'receipts', 'all'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** What every report takes. Which `group_by` a report knows is its own: sales all but authority, submissions day and authority. */
export class ReportQuery extends PageQuery {
  /** First day of the current month when left out. */
  @Optional() @IsDay() from?: string;
  /** Inclusive; last day of the current month when left out. */
  @Optional() @IsDay() to?: string;
  /** Only documents issued, voids made and payments dated on or before that day count; today when left out. */
  @Optional() @IsDay() as_of?: string;
  @Optional() @IsCurrency() currency?: string;
  @Optional() @OneOf(reportKinds) kind?: ReportKind;
  /** Adds to each row the documents that sum to it. */
  @Optional() @IsFlag() cite?: boolean;
  @Optional() @OneOf(groupings) group_by?: Grouping;
  /** `csv` answers with a link to a file. */
  @Optional() @OneOf(['json', 'csv']) format?: 'json' | 'csv';
}
