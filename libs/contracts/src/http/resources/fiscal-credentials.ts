import { IsAnyText, IsFlag, IsTimestamp, Nullable, OneOf, Optional } from '../decorators/index.ts';

/** What can be known of the certificate. The certificate and its passphrase are never read back. */
export class FiscalCredentialsResource {
  @OneOf(['fiscal_credentials']) object: 'fiscal_credentials';
  @IsFlag() livemode: boolean;
  @IsAnyText(2000) subject: string;
  @IsAnyText(255) serial: string;
  @IsTimestamp() expires_at: string;
  /** SHA-256 of the certificate, hex. */
  @IsAnyText(255) fingerprint: string;
  @Optional() @IsTimestamp() created_at?: string;
  @Optional() @IsTimestamp() updated_at?: string;
  @Optional() @Nullable() @IsTimestamp() deleted_at?: string | null;
}
