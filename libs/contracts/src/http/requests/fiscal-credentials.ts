import { IsBase64, IsAnyText } from '../decorators/index.ts';

export class PutFiscalCredentials {
  /** PKCS#12 in base64. */
  @IsBase64(65_536) certificate: string;
  @IsAnyText(255) passphrase: string;
}
