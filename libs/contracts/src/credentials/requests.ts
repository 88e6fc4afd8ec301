import { About, IsBase64, IsFlag, IsText, Optional } from '../schema/decorators/index.ts';

export class PutFiscalCredentials {
  @About('PKCS#12 file (.p12, .pfx) in base64: the certificate and its private key.') @IsBase64(65_536) certificate: string;
  @About('Passphrase of the file. White space at its beginning and end is not part of it.') @IsText(255, 0) passphrase: string;
  @About(
    'True: the certificate is staged. It takes over when the present one expires, once it is valid itself, or by `POST /v1/fiscal-credentials/activate`; until then the present one signs.',
  )
  @Optional()
  @IsFlag()
  successor?: boolean;
}
