import { parts, type Dialect } from '../al-cis/dialect.ts';
import { NAMESPACE, requests } from './schema.ts';

/**
 * Montenegro's service, version 1: Albania's with another schema, and numbers that count by till. Assumed as Albania's: error codes, windows of
 * late messages, controls, resends, the name in the certificate that signs answers.
 */
export const montenegro: Dialect = {
  authority: 'me-efi',
  paths: ['/fs-v1', '/fs-v1/FiscalizationService'],
  namespace: NAMESPACE,
  version: '1',
  country: 'ME',
  signer: 'Test fiscal service of Montenegro',
  requests,
  taxId: { type: 'TIN', attribute: 'IssuerTIN', pattern: /^(\d{8}|\d{13})$/ },
  numberOf: (invoice) => [parts.unit(invoice), parts.ordinal(invoice), parts.year(invoice), parts.till(invoice)].join('/'),
  sequenceOf: (invoice) => `${parts.year(invoice)}/${parts.till(invoice)}`,
  cashMethods: undefined,
  tolerance: '0.01',
};
