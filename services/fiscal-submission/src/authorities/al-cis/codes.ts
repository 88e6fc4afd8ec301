import { createHash } from 'node:crypto';

/** What the issuer's code binds, as it stands in the message. `device`: null where the invoice is not paid in cash. */
export interface Identified {
  nuis: string;
  issued: string;
  ordinal: string;
  unit: string;
  device: string | null;
  software: string;
  total: string;
}

/** The text whose signature makes the issuer's code (Technical Specification v07, 5.3.3): with the ordinal alone, as the example there has it. */
export const iicText = ({ nuis, issued, ordinal, unit, device, software, total }: Identified): string =>
  [nuis, issued, ordinal, unit, device ?? '', software, total].join('|');

/** NSLF: MD5 of the signature's bytes, in upper-case hex as the signature itself. */
export const iicOf = (signature: Buffer): { IIC: string; IICSignature: string } => ({
  IIC: createHash('md5').update(signature).digest('hex').toUpperCase(),
  IICSignature: signature.toString('hex').toUpperCase(),
});

/** Where anybody can check the invoice (3.7.6.1). `+` and `:` of the time are not escaped there. `page`: its address before the query. */
export const verificationUrl = (page: string, iic: string, of: Identified): string =>
  `${page}/#/verify?iic=${iic}&tin=${of.nuis}&crtd=${of.issued}&ord=${of.ordinal}` +
  `&bu=${of.unit}&cr=${of.device ?? ''}&sw=${of.software}&prc=${of.total}`;
