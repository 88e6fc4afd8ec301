import { About, IsBase64, IsText } from '../schema/decorators/index.ts';

export class PutFiscalCredentials {
  @About('PKCS#12 in base64.') @IsBase64(65_536) certificate: string;
  @About('Passphrase of the certificate.') @IsText(255, 0) passphrase: string;
}
