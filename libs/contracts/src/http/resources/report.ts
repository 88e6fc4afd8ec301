import {
  AnyObjects,
  IsAnyText,
  IsDay,
  IsFlag,
  IsTimestamp,
  Nested,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  RowsOf,
} from '../decorators/index.ts';
import { reportNames } from '../vocabulary.ts';
import type { ReportName } from '../vocabulary.ts';
import { ListLinks, ListMeta } from './list.ts';
import { NumberGap, reportRows } from './report-rows.ts';

export class ReportTypeResource {
  @OneOf(['report_type']) object: 'report_type';
  @OneOf(reportNames) report: ReportName;
  @IsAnyText(255) description: string;
}

/** Rows are of one of the kinds below, by report; each has one currency, and they are never added up over currencies. */
export class ReportResource {
  @OneOf(['report']) object: 'report';
  @OneOf(reportNames) report: ReportName;
  @IsFlag() livemode: boolean;
  @IsDay() from: string;
  @IsDay() to: string;
  @IsDay() as_of: string;
  @IsAnyText(64) time_zone: string;
  /** How far the facts behind it were known. */
  @Nullable() @IsAnyText(255) position: string | null;
  @IsTimestamp() generated_at: string;
  @RowsOf(() => reportRows, { max: 100 }) data: object[];
  /** One entry per currency, over all pages. */
  @AnyObjects({ max: 200 }) totals: object[];
  @Nested(() => ListMeta) meta: ListMeta;
  @Nested(() => ListLinks) links: ListLinks;
  /** Of `numbering`: no number is missing. */
  @Optional() @IsFlag() complete?: boolean;
  /** Of `numbering`: the numbers that are missing. */
  @Optional() @NestedList(() => NumberGap, { max: 1000 }) gaps?: NumberGap[];
  /** Of `numbering`: hash of its rows. */
  @Optional() @IsAnyText(64) sha256?: string;
}
