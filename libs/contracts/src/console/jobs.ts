import { documentTypes, type FiscalStatus, fiscalStatuses } from '../document/vocabulary.ts';
import { invoiceStatuses, paymentStatuses, type PaymentStatus } from '../invoice/vocabulary.ts';
import { receiptStatuses } from '../receipt/vocabulary.ts';
import {
  About,
  IsAnyText,
  IsDay,
  IsPrefixedId,
  IsText,
  IsTimestamp,
  IsWhole,
  Nested,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  SomeOf,
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

/** The documents of a list that have a number, by their issue date. */
export class CreateExport {
  @About('What is in the ZIP: a PDF a document, a UBL an invoice, one CSV, or one JSON Lines.') @OneOf(exportKinds) kind: ExportKind;
  @About('Issued on or after this day.') @IsDay() from: string;
  @About('Issued on or before this day.') @IsDay() to: string;
  @About('Only documents of these types.') @Optional() @SomeOf(exportTypes, { min: 1, max: exportTypes.length }) types?: ExportType[];
  @About('Only documents of this customer.') @Optional() @IsPrefixedId('cust') customer_id?: string;
  @About('Only documents in one of these statuses.')
  @Optional()
  @SomeOf(exportStatuses, { min: 1, max: exportStatuses.length })
  statuses?: string[];
  @About('Only invoices that show one of these payment statuses.')
  @Optional()
  @SomeOf(paymentStatuses, { min: 1, max: paymentStatuses.length })
  payment_statuses?: PaymentStatus[];
  @About('Only documents whose `fiscal.status` is one of these.')
  @Optional()
  @SomeOf(fiscalStatuses, { min: 1, max: fiscalStatuses.length })
  fiscal_statuses?: FiscalStatus[];
  @About('Only documents in one of these currencies.') @Optional() @TextList(3, { min: 1, max: MOST_VALUES }) currencies?: string[];
  @About('Only documents of one of these series.') @Optional() @TextList(12, { min: 1, max: MOST_VALUES }) series?: string[];
  @About('Only those that a list finds by this.') @Optional() @IsText() q?: string;
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
  @About('Documents that cannot be in it, such as one that UBL cannot say.')
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
  @About('Invoices that were refused.') @NestedList(() => JobFailure, { max: MOST_SUBMITTED }) failed: JobFailure[];
}
