import type { Dialect, Exemption } from '../al-cis/dialect.ts';

/** Vouchers have numbers that cannot be named, and cheques no type of their own. */
const cash = { cash: 'BANKNOTE', card: 'CARD', check: 'OTHER-CASH', voucher: 'OTHER-CASH' };
const account = { transfer: 'ACCOUNT' };
const exempt = (code: string | null | undefined): Exemption => ({ code: code ?? 'VAT_CL26' });

/** Electronic fiscalization (EFI), version 1 of its schema, as it differs from Albania's. */
export const montenegro: Dialect = {
  id: 'me-efi',
  namespace: 'https://efi.tax.gov.me/fs/schema',
  version: '1',
  action: 'https://efi.tax.gov.me/fs/',
  path: '/fs-v1',
  zone: 'Europe/Podgorica',
  currency: 'EUR',
  country: 'ME',
  taxId: {
    ...{ type: 'TIN', attribute: 'IssuerTIN', pattern: /^([0-9]{8}|[0-9]{13})$/ },
    words: 'is no PIB of eight or thirteen digits',
  },
  alwaysTill: true,
  reverseCharge: false,
  attributes: ({ isCredit, corrects }) => ({ InvType: isCredit ? 'CREDIT_NOTE' : corrects ? 'CORRECTIVE' : 'INVOICE' }),
  correction: () => 'CORRECTIVE',
  methods: { receipt: { ...cash, ...account, other: 'OTHER-CASH' }, invoice: { ...cash, ...account, other: 'OTHER' } },
  isCash: (method) => Object.hasOwn(cash, method),
  namedBuyer: true,
  exemption(tax) {
    if (!tax || tax.code === 'O') return { total: 'TaxFreeAmt' };
    if (tax.code === 'G') return { total: 'GoodsExAmt' };
    return tax.code === 'E' ? exempt(tax.exemption_code) : null;
  },
};
