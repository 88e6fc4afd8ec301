import { documentTypes, type FiscalStatus, fiscalStatuses } from '../document/vocabulary.ts';
import { invoiceStatuses, paymentStatuses, type PaymentStatus } from '../invoice/vocabulary.ts';
import { receiptStatuses } from '../receipt/vocabulary.ts';
import {
  About,
  IsAnyText,
  IsDay,
  IsMoment,
  IsPrefixedId,
  IsText,
  IsTimestamp,
  IsWhole,
  Nested,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  TextList,
} from '../schema/decorators/index.ts';
import { vocabulary } from '../schema/vocabulary.ts';
import { ConsoleActor } from './resources.ts';

const count = () => IsWhole({ min: 0, max: Number.MAX_SAFE_INTEGER });

const exportKinds = vocabulary('ExportKind', ['pdf', 'ubl', 'csv', 'jsonl']);
export type ExportKind = (typeof exportKinds)[number];

const exportTypes = vocabulary('ExportType', [...documentTypes, 'receipt']);
export type ExportType = (typeof exportTypes)[number];

/** Of documents that have a number. */
export const exportStatuses = vocabulary(
  'ExportStatus',
  [...new Set([...invoiceStatuses, ...receiptStatuses])].filter((name) => name !== 'draft'),
);

const jobStatuses = vocabulary('JobStatus', ['queued', 'running', 'succeeded', 'failed']);
export type JobStatus = (typeof jobStatuses)[number];

const MOST_VALUES = 20;
const MOST_SUBMITTED = 1_000;
/** Documents that one export names as missing. */
export const MOST_MISSING = 1_000;

/** Fields of closed lists, which are judged as a whole: see `problemsOfExport`. */
const closed = {
  types: exportTypes,
  statuses: exportStatuses,
  payment_statuses: paymentStatuses,
  fiscal_statuses: fiscalStatuses,
} as const;
const someOf = (values: readonly string[]) => TextList(64, { min: 1, max: values.length });
const among = (values: readonly string[]): string => `Of ${values.map((value) => `\`${value}\``).join(', ')}.`;

/** The documents of a list that have a number, by their issue date. */
export class CreateExport {
  @About('What is in the ZIP: a PDF a document, a UBL an invoice, one CSV, or one JSON Lines.') @OneOf(exportKinds) kind: ExportKind;
  @About('Issued on or after this day.') @IsDay() from: string;
  @About('Issued on or before this day.') @IsDay() to: string;
  @About(`Only documents of these types. ${among(exportTypes)}`) @Optional() @someOf(exportTypes) types?: ExportType[];
  @About('Only documents of this customer.') @Optional() @IsPrefixedId('cust') customer_id?: string;
  @About(`Only documents in one of these statuses. ${among(exportStatuses)}`) @Optional() @someOf(exportStatuses) statuses?: string[];
  @About(`Only invoices that show one of these payment statuses. ${among(paymentStatuses)}`)
  @Optional()
  @someOf(paymentStatuses)
  payment_statuses?: PaymentStatus[];
  @About(`Only documents with one of these as \`fiscal.status\`. ${among(fiscalStatuses)}`)
  @Optional()
  @someOf(fiscalStatuses)
  fiscal_statuses?: FiscalStatus[];
  @About('Only documents in one of these currencies.') @Optional() @TextList(3, { min: 1, max: MOST_VALUES }) currencies?: string[];
  @About('Only documents of one of these series.') @Optional() @TextList(12, { min: 1, max: MOST_VALUES }) series?: string[];
  @About('Only documents with one of these numbers.') @Optional() @TextList(64, { min: 1, max: MOST_VALUES }) numbers?: string[];
  @About('Only documents that correct one of these.') @Optional() @TextList(64, { min: 1, max: MOST_VALUES }) corrects?: string[];
  @About('Only invoices that are due on or after this day.') @Optional() @IsDay() due_from?: string;
  @About('Only invoices that are due on or before this day.') @Optional() @IsDay() due_to?: string;
  @About('Created on or after this day (in the issuer’s time zone) or moment (RFC 3339).') @Optional() @IsMoment() created_from?: string;
  @About('Created on or before this day (in the issuer’s time zone) or moment (RFC 3339).') @Optional() @IsMoment() created_to?: string;
  @About('Only those that a list finds by this.') @Optional() @IsText() q?: string;
}

/** Why an export cannot be asked for so, by field; {}: it can. */
export function problemsOfExport(asked: CreateExport): Record<string, string[]> {
  const wrong = (Object.keys(closed) as (keyof typeof closed)[]).filter((field) => {
    const known: readonly string[] = closed[field];
    return asked[field]?.some((value) => !known.includes(value));
  });
  return {
    ...Object.fromEntries(wrong.map((field) => [field, [`Send a list of these: ${closed[field].join(', ')}.`]])),
    ...(asked.to < asked.from && { to: ['Send a day that is not before `from`.'] }),
  };
}

export class JobReason {
  @About('Machine-readable.') @IsAnyText(64) code: string;
  @About('What to do next.') @IsAnyText(2_000) message: string;
}

/** A document that a job has no result for. */
export class JobFailure {
  @About('Identifier of the document.') @IsAnyText(64) id: string;
  @About('Code of the error.') @IsAnyText(64) code: string;
  @About('What to do next.') @IsAnyText(500) message: string;
}

/** What all jobs of members show. */
class JobResource {
  @About('`queued` until another of the account has ended.') @OneOf(jobStatuses) status: JobStatus;
  @About('Documents that are done.') @count() done: number;
  @About('Documents in all.') @count() total: number;
  @About('Why it failed; null: it did not.') @Nullable() @Nested(() => JobReason) reason: JobReason | null;
  @About('Under whose rights it works.') @Nested(() => ConsoleActor) created_by: ConsoleActor;
  @About('When it was asked for, UTC.') @IsTimestamp() created_at: string;
  @About('When it ended, UTC; null: it goes on.') @Nullable() @IsTimestamp() ended_at: string | null;
}

export class ExportResource extends JobResource {
  @About('Identifier, `exp_…`.') @IsPrefixedId('exp') id: string;
  @About('Kind of resource.') @OneOf(['export']) object: 'export';
  @About('What is in the ZIP.') @OneOf(exportKinds) kind: ExportKind;
  @About('Issued on or after this day.') @IsDay() from: string;
  @About('Issued on or before this day.') @IsDay() to: string;
  @About('Bytes of the ZIP; 0 until it is done.') @count() bytes: number;
  @About('How many documents cannot be in it, up to 1,000.') @count() missing_count: number;
  @About('Documents that cannot be in it, such as one that UBL cannot say; none in lists.')
  @NestedList(() => JobFailure, { max: MOST_MISSING })
  missing: JobFailure[];
  @About('When the ZIP is removed, UTC; null: it is not done.') @Nullable() @IsTimestamp() expires_at: string | null;
  @About(
    'Link to the ZIP for 15 minutes, another in each answer; null in lists, until it is done, and once its member may not read it any more.',
  )
  @Nullable()
  @IsAnyText(8192)
  url: string | null;
}

export class CreateSubmissions {
  @About('Invoices to submit, in this order.') @TextList(64, { min: 1, max: MOST_SUBMITTED }) ids: string[];
}

export class SubmissionsResource extends JobResource {
  @About('Identifier, `sub_…`.') @IsPrefixedId('sub') id: string;
  @About('Kind of resource.') @OneOf(['submissions']) object: 'submissions';
  @About('How many invoices were refused.') @count() failed_count: number;
  @About('Invoices that were refused; none in lists.') @NestedList(() => JobFailure, { max: MOST_SUBMITTED }) failed: JobFailure[];
}
