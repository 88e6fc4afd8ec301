import { ListLinks, ListMeta } from '../http/list.ts';
import {
  About,
  IsAnyText,
  IsDay,
  IsFlag,
  IsTimestamp,
  IsWhole,
  Nested,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  RowsOf,
} from '../schema/decorators/index.ts';
import { NumberGap, type ReportName, reportNames, reportShapes } from './rows.ts';

const shapes = Object.values(reportShapes);
const totals = shapes.flatMap((shape) => ('total' in shape ? [shape.total] : []));

/** Documents whose number was taken in the period and that are neither registered nor rejected yet. */
export class OpenDocuments {
  @About('How many there are.') @IsWhole({ min: 0, max: Number.MAX_SAFE_INTEGER }) documents: number;
  @About('The earliest issue date of them; null: there are none.') @Nullable() @IsDay() oldest_issue_date: string | null;
}

export class ReportTypeResource {
  @About('Kind of resource.') @OneOf(['report_type']) object: 'report_type';
  @About('Name of the report.') @OneOf(reportNames) report: ReportName;
  @About('What the report shows.') @IsAnyText(255) description: string;
}

/** Rows are of one of the classes below, depending on the report. Each row has one currency; amounts are never added over currencies. */
export class ReportResource {
  @About('Kind of resource.') @OneOf(['report']) object: 'report';
  @About('Name of the report.') @OneOf(reportNames) report: ReportName;
  @About('True for a live key, false in the sandbox.') @IsFlag() livemode: boolean;
  @About('First day, inclusive.') @IsDay() from: string;
  @About('Last day, inclusive.') @IsDay() to: string;
  @About('Only what was issued, voided or paid on or before this day counts.') @IsDay() as_of: string;
  @About('Only what was recorded by then counts, and the answer never changes; null: everything that is recorded.')
  @Optional()
  @Nullable()
  @IsTimestamp()
  known_at?: string | null;
  @About('The issuer’s time zone, in which days are counted.') @IsAnyText(64) time_zone: string;
  @About('How far the facts behind it were known.') @Nullable() @IsAnyText(255) position: string | null;
  @About('When it was made, UTC; with `known_at` that time.') @IsTimestamp() generated_at: string;
  @About('What is still to come: documents of the period without an outcome.')
  @Optional()
  @Nested(() => OpenDocuments)
  open?: OpenDocuments;
  @About('Of `numbering`: every number of the period’s counts is known.') @Optional() @IsFlag() complete?: boolean;
  @About('Of `numbering`: what is missing.') @Optional() @NestedList(() => NumberGap, { max: 1000 }) gaps?: NumberGap[];
  @About('Of `numbering`: SHA-256 of the data lines of its CSV, UTF-8, each with a line feed, without a byte order mark.')
  @Optional()
  @IsAnyText(64)
  sha256?: string;
  @About('The rows of this page; which kind depends on the report.')
  @RowsOf('ReportRow', () => shapes.map(({ row }) => row), { max: 100 })
  data: object[];
  @About('One entry per currency, over all pages; which kind depends on the report.')
  @RowsOf('ReportTotal', () => totals, { max: 200 })
  totals: object[];
  @About('Where this page is in the list.') @Nested(() => ListMeta) meta: ListMeta;
  @About('Absolute links to other pages, with all filters.') @Nested(() => ListLinks) links: ListLinks;
}
