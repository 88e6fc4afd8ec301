import type { Dialect, Exemption } from './dialect.ts';

const totals: Record<string, Exemption['total']> = {
  ...{ TAX_FREE: 'TaxFreeAmt', MARGIN_SCHEME: 'MarkUpAmt', EXPORT_OF_GOODS: 'GoodsExAmt' },
};
const exempt = (code: string): Exemption => ({ code, ...(totals[code] && { total: totals[code] }) });

/** Fiscalization Service, Technical Specification v07, version 3 of its schema. */
export const albania: Dialect = {
  id: 'al-cis',
  namespace: 'https://eFiskalizimi.tatime.gov.al/FiscalizationService/schema',
  version: '3',
  action: 'https://eFiskalizimi.tatime.gov.al/FiscalizationService/',
  path: '/FiscalizationService-v3',
  zone: 'Europe/Tirane',
  currency: 'ALL',
  country: 'AL',
  taxId: {
    type: 'NUIS',
    attribute: 'IssuerNUIS',
    pattern: /^[A-Z][0-9]{8}[A-Z]$/,
    words: 'is no NUIS',
  },
  alwaysTill: false,
  reverseCharge: true,
  attributes: () => ({ IsSimplifiedInv: 'false' }),
  correction: (isCredit) => (isCredit ? 'CREDIT' : 'CORRECTIVE'),
  // The service takes none of the one in place of the other (3.7.1.46).
  methods: { receipt: { cash: 'BANKNOTE', card: 'CARD', check: 'CHECK' }, invoice: { transfer: 'ACCOUNT', other: 'OTHER' } },
  isCash: () => false,
  namedBuyer: false,
  exemption(tax) {
    if (!tax || tax.code === 'O') return exempt('TAX_FREE');
    if (tax.code === 'G') return exempt('EXPORT_OF_GOODS');
    return tax.code === 'E' ? exempt(tax.exemption_code ?? 'TAX_FREE') : null;
  },
};
