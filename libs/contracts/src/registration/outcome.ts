import { type Fixable, fixables } from '../fixable.ts';
import { type DocumentKind, documentKinds } from '../documents.ts';
import { codeKinds, type CodeKind, FiscalWarning, MOST_FISCAL_WARNINGS } from '../document/fiscal.ts';
import { topics } from '../events/envelope.ts';
import { publicEvent } from '../events/public-event.ts';
import { IsAnyText, IsFlag, IsTimestamp, IsWhole, Nested, NestedList, Nullable, OneOf, Optional } from '../schema/decorators/index.ts';

/** The document and submission that an outcome belongs to. */
export class RegistrationFact {
  @IsAnyText(64) document_id: string;
  @OneOf(documentKinds) kind: DocumentKind;
  @IsAnyText(40) authority: string;
  @IsWhole({ min: 0, max: 1_000_000 }) attempts: number;
  @Nullable() @IsTimestamp() last_attempt_at: string | null;
}

const round = () => IsWhole({ min: 1, max: 1_000_000 });

export class RegistrationError {
  @IsAnyText(255) code: string;
  @IsAnyText(2000) message: string;
  @Nullable() @OneOf(fixables) fixable: Fixable | null;
}

export class CancellationError {
  @IsAnyText(255) code: string;
  @IsAnyText(2000) message: string;
}

/** Its record is whole: it can be printed before the authority has answered. Not published where the record needs neither a link nor a signature. */
export class DocumentPrepared {
  @IsAnyText(64) document_id: string;
  @OneOf(documentKinds) kind: DocumentKind;
  @IsAnyText(40) authority: string;
  @round() round: number;
  @Nullable() @IsAnyText(255) issuer_code: string | null;
  @Nullable() @IsAnyText(2048) verification_url: string | null;
  @IsTimestamp() prepared_at: string;
}

export class DocumentRegistered extends RegistrationFact {
  @round() round: number;
  @IsAnyText(255) code: string;
  @Nullable() @IsAnyText(255) issuer_code: string | null;
  @IsTimestamp() registered_at: string;
  @Nullable() @IsAnyText(2048) verification_url: string | null;
  @IsFlag() late: boolean;
  /** What `code` is, where the authority has several kinds. */
  @Optional() @OneOf(codeKinds) code_kind?: CodeKind;
  /** What the authority found wrong and registered all the same. Absent: nothing. */
  @Optional() @NestedList(() => FiscalWarning, { max: MOST_FISCAL_WARNINGS }) warnings?: FiscalWarning[];
}

/** Another record has replaced the registered one, which was wrong. Its code and link stay those of the registration. */
export class DocumentAmended extends RegistrationFact {
  @round() round: number;
  @IsTimestamp() amended_at: string;
  /** What the authority finds wrong in the record that it has now. Absent: nothing. */
  @Optional() @NestedList(() => FiscalWarning, { max: MOST_FISCAL_WARNINGS }) warnings?: FiscalWarning[];
}

export class DocumentRejected extends RegistrationFact {
  @round() round: number;
  @Nested(() => RegistrationError) error: RegistrationError;
  @IsTimestamp() rejected_at: string;
}

/**
 * It is not registered yet (`pending`), its outcome is not known (`unknown`), or only an operator can find it out. Published once for each change of status,
 * code or what has to be fixed.
 */
export class DocumentDelayed extends RegistrationFact {
  @round() round: number;
  @OneOf(['pending', 'unknown', 'needs_review']) status: 'pending' | 'unknown' | 'needs_review';
  @Nullable() @Nested(() => RegistrationError) error: RegistrationError | null;
  @Nullable() @IsTimestamp() next_attempt_at: string | null;
}

/** `sequence` of the cancellation-requested event that this event answers. */
const cancellation = () => IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER });

export class DocumentCancelled extends RegistrationFact {
  @cancellation() cancellation: number;
  @IsTimestamp() cancelled_at: string;
}

export class CancellationRefused extends RegistrationFact {
  @cancellation() cancellation: number;
  @Nested(() => CancellationError) error: CancellationError;
  @IsTimestamp() refused_at: string;
}

/** Nothing is known of its registration, and its authority takes it for at most twelve hours more: published once for each such end. No webhook. */
export class DocumentDeadlineNear {
  @IsAnyText(64) document_id: string;
  @OneOf(documentKinds) kind: DocumentKind;
  @IsAnyText(40) authority: string;
  @IsTimestamp() deadline_at: string;
}

/** Of a till: which request of which issuer is answered. The subject is the issuer. */
class DeviceFact {
  @IsAnyText(64) issuer_id: string;
  @IsAnyText(40) unit: string;
  @IsAnyText(40) device_code: string;
  @IsAnyText(40) authority: string;
  @IsWhole({ min: 1, max: 1_000_000 }) request: number;
}

export class DeviceRegistered extends DeviceFact {
  /** Code that the authority gave to the till. */
  @IsAnyText(40) authority_code: string;
  @IsTimestamp() registered_at: string;
}

export class DeviceRefused extends DeviceFact {
  @Nested(() => RegistrationError) error: RegistrationError;
  @IsTimestamp() refused_at: string;
}

/** A certificate ends soon: published once 60, 30 and 7 days before. No webhook. The subject is the certificate's fingerprint. */
export class CertificateExpiring {
  /** SHA-256 of the certificate, hex. */
  @IsAnyText(255) fingerprint: string;
  /** Name in the certificate. */
  @IsAnyText(2000) owner: string;
  @IsTimestamp() expires_at: string;
  /** 60, 30 or 7. */
  @IsWhole({ min: 0, max: 60 }) days_left: number;
}

const topic = topics.fiscalRegistration;

export const DocumentPreparedV1 = publicEvent({ type: 'fiscal.document-prepared.v1', topic, data: DocumentPrepared });
export const DocumentRegisteredV1 = publicEvent({ type: 'fiscal.document-registered.v1', topic, data: DocumentRegistered });
export const DocumentAmendedV1 = publicEvent({ type: 'fiscal.document-amended.v1', topic, data: DocumentAmended });
export const DocumentRejectedV1 = publicEvent({ type: 'fiscal.document-rejected.v1', topic, data: DocumentRejected });
export const DocumentDelayedV1 = publicEvent({ type: 'fiscal.document-delayed.v1', topic, data: DocumentDelayed });
export const DocumentDeadlineNearV1 = publicEvent({ type: 'fiscal.document-deadline-near.v1', topic, data: DocumentDeadlineNear });
export const DocumentCancelledV1 = publicEvent({ type: 'fiscal.document-cancelled.v1', topic, data: DocumentCancelled });
export const CancellationRefusedV1 = publicEvent({ type: 'fiscal.cancellation-refused.v1', topic, data: CancellationRefused });
export const DeviceRegisteredV1 = publicEvent({ type: 'fiscal.device-registered.v1', topic, data: DeviceRegistered });
export const DeviceRefusedV1 = publicEvent({ type: 'fiscal.device-refused.v1', topic, data: DeviceRefused });
export const CertificateExpiringV1 = publicEvent({ type: 'fiscal.certificate-expiring.v1', topic, data: CertificateExpiring });
