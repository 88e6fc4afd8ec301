import { parts, type Dialect } from './dialect.ts';
import { NAMESPACE, requests } from './schema.ts';

/** Fiscalization Service v3. Cash invoices are numbered by till, all others of an issuer in one sequence. */
export const albania: Dialect = {
  authority: 'al-cis',
  paths: ['/FiscalizationService-v3', '/FiscalizationService-v3/FiscalizationService.wsdl'],
  namespace: NAMESPACE,
  version: '3',
  country: 'AL',
  signer: 'GDT eFiskalizimi',
  requests,
  taxId: { type: 'NUIS', attribute: 'IssuerNUIS', pattern: /^[A-Za-z]\d{8}[A-Za-z]$/ },
  numberOf: (invoice) => [parts.ordinal(invoice), parts.year(invoice), ...(parts.isCash(invoice) ? [parts.till(invoice)] : [])].join('/'),
  sequenceOf: (invoice) => [parts.year(invoice), ...(parts.isCash(invoice) ? [parts.till(invoice)] : [])].join('/'),
  cashMethods: new Set(['BANKNOTE', 'CARD', 'CHECK', 'SVOUCHER', 'COMPANY', 'ORDER']),
  tolerance: '0',
};
