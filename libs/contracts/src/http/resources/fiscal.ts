import { IsAnyText, IsFlag, IsPrefixedId, IsTimestamp, IsWhole, Nested, Nullable, OneOf, Optional } from '../decorators/index.ts';
import { fiscalStatuses, fixables } from '../vocabulary.ts';
import type { FiscalStatus, Fixable } from '../vocabulary.ts';

/** What the authority objects to, and what has to be mended. */
export class FiscalError {
  @IsAnyText(255) code: string;
  @IsAnyText(2000) message: string;
  @Optional() @Nullable() @OneOf(fixables) fixable?: Fixable | null;
}

/** The registration of a document with the tax authority. */
export class Fiscal {
  @IsAnyText(40) authority: string;
  @OneOf(fiscalStatuses) status: FiscalStatus;
  /** Given by the authority. */
  @Nullable() @IsAnyText(255) code: string | null;
  /** Made here before it is sent, where the authority's rules say so. */
  @Nullable() @IsAnyText(255) issuer_code: string | null;
  @Nullable() @IsTimestamp() registered_at: string | null;
  @Nullable() @IsAnyText(2048) verification_url: string | null;
  /** Sent after the time that the law allows. */
  @IsFlag() late: boolean;
  @IsWhole({ min: 0, max: 1_000_000 }) attempts: number;
  @Nullable() @IsTimestamp() last_attempt_at: string | null;
  @Nullable() @IsTimestamp() next_attempt_at: string | null;
  @Nullable() @Nested(() => FiscalError) error: FiscalError | null;
}

export class VoidError {
  @IsAnyText(255) code: string;
  @IsAnyText(2000) message: string;
}

/** That a document was asked to be voided, and what became of it. */
export class Void {
  @Nullable() @IsAnyText(500) reason: string | null;
  @IsTimestamp() requested_at: string;
  @Nullable() @IsTimestamp() voided_at: string | null;
  /** The corrective document that voids this one, where the authority knows no annulment. */
  @Nullable() @IsPrefixedId('inv') document_id: string | null;
  /** Why the authority refused. */
  @Nullable() @Nested(() => VoidError) error: VoidError | null;
}
