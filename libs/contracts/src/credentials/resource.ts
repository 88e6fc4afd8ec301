import { About, IsAnyText, IsFlag, IsTimestamp, Nested, NestedList, Nullable, OneOf, Optional } from '../schema/decorators/index.ts';
import { vocabulary } from '../schema/vocabulary.ts';

/** A certificate that is staged. */
export class CredentialsSuccessor {
  @About('Subject of the certificate.') @IsAnyText(2000) subject: string;
  @About('Serial number of the certificate, hex.') @IsAnyText(255) serial: string;
  @About('When the certificate expires, UTC.') @IsTimestamp() expires_at: string;
  @About('SHA-256 of the certificate, hex.') @IsAnyText(255) fingerprint: string;
  @About('When it was staged, UTC.') @IsTimestamp() created_at: string;
}

/** Metadata of the certificate. The certificate and its passphrase are never returned. */
export class FiscalCredentialsResource {
  @About('Kind of resource.') @OneOf(['fiscal_credentials']) object: 'fiscal_credentials';
  @About('True for a live key, false in the sandbox.') @IsFlag() livemode: boolean;
  @About('Subject of the certificate.') @IsAnyText(2000) subject: string;
  @About('Serial number of the certificate, hex.') @IsAnyText(255) serial: string;
  @About('When the certificate expires, UTC.') @IsTimestamp() expires_at: string;
  @About('SHA-256 of the certificate, hex.') @IsAnyText(255) fingerprint: string;
  @About(
    'The certificate that takes over when this one expires, once it is valid itself, or by `POST /v1/fiscal-credentials/activate`; null: none is staged.',
  )
  @Optional()
  @Nullable()
  @Nested(() => CredentialsSuccessor)
  successor?: CredentialsSuccessor | null;
  @About('When it was created, UTC.') @Optional() @IsTimestamp() created_at?: string;
  @About('When it last changed, UTC.') @Optional() @IsTimestamp() updated_at?: string;
  @About('When it was deleted, UTC; null while it exists.') @Optional() @Nullable() @IsTimestamp() deleted_at?: string | null;
}

const checkIds = vocabulary('CredentialsCheckId', ['authority', 'certificate', 'owner', 'connection']);
export type CredentialsCheckId = (typeof checkIds)[number];
const outcomes = vocabulary('CredentialsCheckOutcome', ['passed', 'warning', 'failed', 'skipped']);
export type CredentialsCheckOutcome = (typeof outcomes)[number];

export class CredentialsCheck {
  @About(
    'What is checked: that an authority is set, that its messages can be signed, whom the certificate names, and that the authority answers over a connection that is trusted.',
  )
  @OneOf(checkIds)
  id: CredentialsCheckId;
  @About('`warning`: documents can be sent all the same. `skipped`: not needed, or not possible.')
  @OneOf(outcomes)
  outcome: CredentialsCheckOutcome;
  @About('What was found, and what to do.') @IsAnyText(2000) message: string;
}

/** What would keep documents from their authority. Nothing is registered by finding it out. */
export class FiscalCredentialsCheckResource {
  @About('Kind of resource.') @OneOf(['fiscal_credentials_check']) object: 'fiscal_credentials_check';
  @About('True for a live key, false in the sandbox.') @IsFlag() livemode: boolean;
  @About('The issuer’s tax authority; null: none is set.') @Nullable() @IsAnyText(40) authority: string | null;
  @About('Whether no check has failed.') @IsFlag() ready: boolean;
  @About('What was checked, in order.') @NestedList(() => CredentialsCheck, { max: 10 }) checks: CredentialsCheck[];
  @About('When it was checked, UTC.') @IsTimestamp() checked_at: string;
}
