import { Live } from '../schema/decorators/metadata.ts';
import {
  About,
  IsAnyText,
  IsFlag,
  IsPrefixedId,
  IsTimestamp,
  IsWhole,
  Nested,
  Nullable,
  OneOf,
  Optional,
} from '../schema/decorators/index.ts';
import { type FiscalStatus, fiscalStatuses, type Fixable, fixables } from './vocabulary.ts';

/** The authority's error, and what has to be fixed. */
export class FiscalError {
  @About('The authority’s code.') @IsAnyText(255) code: string;
  @About('What the authority objects to.') @IsAnyText(2000) message: string;
  @About('What has to be fixed before it can be sent again.') @Optional() @Nullable() @OneOf(fixables) fixable?: Fixable | null;
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
