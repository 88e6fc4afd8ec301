import { Live } from '../schema/decorators/metadata.ts';
import {
  About,
  IsAnyText,
  IsFlag,
  IsPrefixedId,
  IsTimestamp,
  IsWhole,
  Nested,
  NestedList,
  Nullable,
  OneOf,
  Optional,
} from '../schema/decorators/index.ts';
import { vocabulary } from '../schema/vocabulary.ts';
import { type Fixable, fixables } from '../fixable.ts';
import { type FiscalStatus, fiscalStatuses } from './vocabulary.ts';

/** The authority's error, and what has to be fixed. */
export class FiscalError {
  @About('The authority’s code.') @IsAnyText(255) code: string;
  @About('What the authority objects to.') @IsAnyText(2000) message: string;
  @About('What has to be fixed before it can be sent again.') @Optional() @Nullable() @OneOf(fixables) fixable?: Fixable | null;
}

export const codeKinds = vocabulary('FiscalCodeKind', ['csv', 'request_id']);
export type CodeKind = (typeof codeKinds)[number];

/** So many warnings are kept of a registration. */
export const MOST_FISCAL_WARNINGS = 20;

/** What an authority found wrong, and registered all the same. */
export class FiscalWarning {
  @About('The authority’s code.') @IsAnyText(255) code: string;
  @About('What it found.') @IsAnyText(2000) message: string;
}

export const nextOperations = vocabulary('NextOperation', ['submit', 'void', 'corrective', 'credit_note', 'wait', 'manual_upload']);
export type NextOperation = (typeof nextOperations)[number];

/** By operation: why the law does not permit it here. */
export class ClosedOperations {
  @About('Why it cannot be submitted.') @Optional() @IsAnyText(500) submit?: string;
  @About('Why it cannot be voided.') @Optional() @IsAnyText(500) void?: string;
  @About('Why no corrective can be issued.') @Optional() @IsAnyText(500) corrective?: string;
  @About('Why no credit note can be issued.') @Optional() @IsAnyText(500) credit_note?: string;
}

/** The step that the law asks for. */
export class NextStep {
  @About('What to do; `wait`: nothing, it goes on by itself or by what `reason` names.') @OneOf(nextOperations) operation: NextOperation;
  @About('Why, in a whole sentence.') @IsAnyText(500) reason: string;
  @About('Other operations that are closed, and why.') @Nested(() => ClosedOperations) closed: ClosedOperations;
}

export class Fiscal {
  @About('Tax authority that the document is sent to.') @IsAnyText(40) authority: string;
  @About('`pending`: to be sent; `unknown`: sent, outcome not known yet; `needs_review`: somebody has to find out.')
  @OneOf(fiscalStatuses)
  status: FiscalStatus;
  @About('Code given by the authority.') @Nullable() @IsAnyText(255) code: string | null;
  @About('Code made before sending, where the authority’s rules say so.') @Nullable() @IsAnyText(255) issuer_code: string | null;
  @About('When the authority registered it, UTC.') @Nullable() @IsTimestamp() registered_at: string | null;
  @About('Where anybody can verify the registration.') @Nullable() @IsAnyText(2048) verification_url: string | null;
  @About('What `code` is, where an authority has several: `csv`, of the sending; `request_id`, where the reply with it was lost.')
  @Optional()
  @OneOf(codeKinds)
  code_kind?: CodeKind;
  @About('What the authority found wrong and registered all the same; absent where it found nothing.')
  @Optional()
  @NestedList(() => FiscalWarning, { max: MOST_FISCAL_WARNINGS })
  warnings?: FiscalWarning[];
  @About(
    'When the authority stops taking it, UTC, by the reason for which it is late; absent where it sets no end, and once it is registered.',
  )
  @Optional()
  @IsTimestamp()
  deadline_at?: string;
  @About('The step that the law asks for next, as of its last news; absent where there is none. A time in `reason` ends it.')
  @Optional()
  @Nested(() => NextStep)
  next?: NextStep;
  @About('Sent after the time that the law allows.') @IsFlag() late: boolean;
  @About(
    'Exchanges with the authority so far: while it waits, as they are when this one document is read; in lists, webhooks and history as of its last news. `version` and ETag do not change with them.',
  )
  @Live()
  @IsWhole({ min: 0, max: 1_000_000 })
  attempts: number;
  @About('When the last exchange began, UTC.') @Live() @Nullable() @IsTimestamp() last_attempt_at: string | null;
  @About('When the next exchange is due, UTC; null when none is.') @Live() @Nullable() @IsTimestamp() next_attempt_at: string | null;
  @About(
    'What the authority objects to, or why it cannot be reached, also while the document waits; null when nothing. Another code or `fixable` is an entry of the history and an `.updated` event: at most 20 of codes alone a submission, and 20 of `fixable`.',
  )
  @Nullable()
  @Nested(() => FiscalError)
  error: FiscalError | null;
}

class VoidError {
  @About('The authority’s code.') @IsAnyText(255) code: string;
  @About('Why the authority refused.') @IsAnyText(2000) message: string;
}

class VoidRequest {
  @About('Reason that was given.') @Nullable() @IsAnyText(500) reason: string | null;
  @About('When it was asked for, UTC.') @IsTimestamp() requested_at: string;
  @About('When it was voided, UTC; null before.') @Nullable() @IsTimestamp() voided_at: string | null;
  @About('Why the authority refused; null when it did not.') @Nullable() @Nested(() => VoidError) error: VoidError | null;
}

export class InvoiceVoid extends VoidRequest {
  @About('Corrective document that voids this one, where the authority knows no annulment.') @Nullable() @IsPrefixedId('inv') document_id:
    string | null;
}

export class ReceiptVoid extends VoidRequest {
  @About('Corrective receipt that voids this one, where the authority knows no annulment.') @Nullable() @IsPrefixedId('rcp') document_id:
    string | null;
}
