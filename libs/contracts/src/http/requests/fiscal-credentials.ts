import { IsBase64, IsText } from '../decorators/index.ts';

export class PutFiscalCredentials {
  /** PKCS#12 in base64. */
  @IsBase64(65_536) certificate: string;
  @IsText(255, 0) passphrase: string;
}
