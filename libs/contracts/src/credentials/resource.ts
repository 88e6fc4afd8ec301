import { About, IsAnyText, IsFlag, IsTimestamp, Nullable, OneOf, Optional } from '../schema/decorators/index.ts';

/** Metadata of the certificate. The certificate and its passphrase are never returned. */
export class FiscalCredentialsResource {
  @About('Kind of resource.') @OneOf(['fiscal_credentials']) object: 'fiscal_credentials';
  @About('True for a live key, false in the sandbox.') @IsFlag() livemode: boolean;
  @About('Subject of the certificate.') @IsAnyText(2000) subject: string;
  @About('Serial number of the certificate, hex.') @IsAnyText(255) serial: string;
  @About('When the certificate expires, UTC.') @IsTimestamp() expires_at: string;
  @About('SHA-256 of the certificate, hex.') @IsAnyText(255) fingerprint: string;
  @About('When it was created, UTC.') @Optional() @IsTimestamp() created_at?: string;
  @About('When it last changed, UTC.') @Optional() @IsTimestamp() updated_at?: string;
  @About('When it was deleted, UTC; null while it exists.') @Optional() @Nullable() @IsTimestamp() deleted_at?: string | null;
}
