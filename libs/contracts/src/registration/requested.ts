import { FrozenCustomer, FrozenIssuer } from '../document/parties.ts';
import { type DocumentKind, documentKinds, type DocumentResource, documentResources } from '../documents.ts';
import { topics } from '../events/envelope.ts';
import { FrozenDevice } from '../issuer/device.ts';
import { publicEvent } from '../events/public-event.ts';
import { EitherShape, IsAnyText, IsDay, IsTimestamp, IsWhole, Nested, Nullable, OneOf, Optional } from '../schema/decorators/index.ts';

/** What a document corrects, or voids, as it was registered. */
export class OriginalDocument {
  @IsAnyText(255) number: string;
  @IsDay() issue_date: string;
  @IsTimestamp() issued_at: string;
  @Nullable() @IsAnyText(255) issuer_code: string | null;
  @Nullable() @IsAnyText(255) fiscal_code: string | null;
}

/** A document was numbered and has to be registered. Has everything that the registration needs. */
export class RegistrationRequested {
  @IsAnyText(64) document_id: string;
  @OneOf(documentKinds) kind: DocumentKind;
  /** 1 for the first submission; each resubmission adds 1. */
  @IsWhole({ min: 1, max: 1_000_000 }) round: number;
  @IsAnyText(40) authority: string;
  @IsAnyText(255) number: string;
  @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) seq: number;
  @IsAnyText(12) series: string;
  @IsTimestamp() issued_at: string;
  @IsDay() issue_date: string;
  @EitherShape(() => documentResources) document: DocumentResource;
  @Nested(() => FrozenIssuer) issuer: FrozenIssuer;
  @Nullable() @Nested(() => FrozenCustomer) customer: FrozenCustomer | null;
  /** `metadata.simulate` of a test document. */
  @Nullable() @IsAnyText(500) simulate: string | null;
  @Nullable() @IsAnyText(500) late_reason: string | null;
  /** Of a credit note, a corrective, and what voids a document. Absent before 0.2. */
  @Optional() @Nested(() => OriginalDocument) original?: OriginalDocument;
}

/** A registered document has to be cancelled at the authority. */
export class CancellationRequested {
  @IsAnyText(64) document_id: string;
  @OneOf(documentKinds) kind: DocumentKind;
  @IsAnyText(40) authority: string;
  @IsAnyText(255) number: string;
  @IsAnyText(500) reason: string;
  @IsTimestamp() requested_at: string;
  @EitherShape(() => documentResources) document: DocumentResource;
  @Nested(() => FrozenIssuer) issuer: FrozenIssuer;
  @Nullable() @IsAnyText(500) simulate: string | null;
}

/** A till has to be registered with the authority, before any document of it. The subject is the issuer. */
export class DeviceRegistrationRequested {
  @IsAnyText(64) issuer_id: string;
  @IsAnyText(40) authority: string;
  /** Which request of this till it is, from 1: its answer names it. */
  @IsWhole({ min: 1, max: 1_000_000 }) request: number;
  @Nested(() => FrozenDevice) device: FrozenDevice;
  /** With the unit of the till alone. */
  @Nested(() => FrozenIssuer) issuer: FrozenIssuer;
  @IsTimestamp() requested_at: string;
}

const topic = topics.registration;

export const RegistrationRequestedV1 = publicEvent({
  type: 'invoicing.registration-requested.v1',
  topic,
  data: RegistrationRequested,
});
export const CancellationRequestedV1 = publicEvent({
  type: 'invoicing.cancellation-requested.v1',
  topic,
  data: CancellationRequested,
});
export const DeviceRegistrationRequestedV1 = publicEvent({
  type: 'invoicing.device-registration-requested.v1',
  topic,
  data: DeviceRegistrationRequested,
});
