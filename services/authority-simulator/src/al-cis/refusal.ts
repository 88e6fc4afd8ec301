/** Why a message is refused: a code of the published list, and a text. */
export interface Refusal {
  code: number;
  message: string;
}

export const refusal = (code: number, message: string): Refusal => ({ code, message });

/** A published list's text of each code that needs no more said. */
const texts: Record<number, string> = {
  1: 'Received XML message exceed allowed size.',
  2: 'Client time differs from a server’s time by more than allowed time in minutes.',
  20: 'Exception occurred while extracting received XML message during signature check.',
  21: 'Received XML message missing Signature XML element.',
  22: 'Received XML message missing Request XML element.',
  23: 'Exception occurred while extracting Signature XML element during signature check.',
  24: 'Provided more than one Signature XML element.',
  25: 'Signed wrong XML element.',
  26: 'Wrong signature method specified.',
  27: 'Wrong canonicalization method specified.',
  28: 'Wrong digest method specified.',
  29: 'Cryptographic signature wrong.',
  30: 'Digest calculation wrong.',
  31: 'Overall signature wrong.',
  32: 'There are more keyInfo elements than needed.',
  33: 'Certificate provided is not of X509 type of certificate.',
  34: 'Certificate provided is not valid.',
  35: 'Certificate is not issued by the trusted authority.',
  36: 'Certificate has expired.',
  37: 'The tax number in the certificate is not that of the message.',
  38: 'Certificate status revoked.',
  39: 'Certificate status unknown.',
  40: 'Invoice amount too large for cash invoice.',
  41: 'Business unit code does not reference active business unit (premise) of the taxpayer.',
  42: 'Software code does not reference active software.',
  43: 'Maintainer code does not reference active maintainer.',
  44: 'Issuer VAT status does not correspond to the IsIssuerInVAT attribute.',
  45: 'ValidFrom cannot be in the past.',
  46: 'ValidTo cannot be in the past.',
  47: 'ValidTo cannot be before ValidFrom.',
  48: 'Active TCR cannot be updated.',
  49: 'Change date and time differs from CIS time more than allowed time in minutes.',
  51: 'Cash amount cannot be zero for WITHDRAW or DEPOSIT operation.',
  52: 'Taxpayer does not exist in the Registry of taxpayers.',
  53: 'TCR code does not reference registered or active TCR or the TCR does not belong to the referenced issuer.',
  54: 'Issuer ID type is wrong.',
  55: 'Taxpayer is not active in the Registry of taxpayers.',
  56: 'Cash deposit with operation INITIAL already registered for a current day.',
  57: 'Deactivated TCR cannot be modified.',
  58: 'Duplicate: another registration has this number already.',
  59: 'TotPriceWoVAT is not the sum of SameTaxes, TaxFreeAmt, MarkUpAmt and GoodsExAmt.',
  60: 'InvNum is not composed of the parts that it must have.',
  61: 'Issue date of the original invoice is in the distant past or in the future.',
};

export const published = (code: number): Refusal => ({ code, message: texts[code] ?? 'Refused.' });
