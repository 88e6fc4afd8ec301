import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { alInvoice, alReceipt, original } from '../../al-cis/testing/documents.ts';

type Asked = NonNullable<Parameters<typeof alInvoice>[0]>;
type Tax = RegistrationRequested['document']['items'][number]['taxes'][number];

const issuer = {
  ...{ legal_name: 'Prodavac Test DOO', tax_id: '12345678', country: 'ME', currency: 'EUR', time_zone: 'Europe/Podgorica' },
  address: { line1: 'Ulica slobode 1', line2: null, city: 'Podgorica', postal_code: '81000', region: null, country: 'ME' },
};
const customer = {
  ...{ id: 'cust_01k9zq3r7te8v9x0a1b2c3d412', name: 'Kupac Test', email: null, phone: null, tax_id: '02345678', language: null },
  address: { line1: 'Ulica 2', line2: null, city: 'Budva', postal_code: null, region: null, country: 'ME' },
} as RegistrationRequested['customer'];

export const numberOf = (seq: number, year = 2026): string => `bb123bb123/${seq}/${year}/cc123cc123`;
const montenegrin = (asked: Asked): Asked => ({
  ...asked,
  issuer: { ...issuer, ...asked.issuer } as never,
  document: { currency: 'EUR', ...asked.document },
  over: { number: numberOf(17), customer, ...asked.over },
});

/** An invoice of a Montenegrin issuer. */
export const meInvoice = (asked: Asked = {}): RegistrationRequested => alInvoice(montenegrin(asked));
/** A receipt of its till. */
export const meReceipt = (asked: Asked = {}): RegistrationRequested =>
  alReceipt(montenegrin({ ...asked, over: { customer: null, ...asked.over } }));

export const at21 = (amount: number, tax: object = {}) => ({ amount, tax: { rate: 21, ...tax } as Partial<Tax> });

/** The shapes of documents that the service takes, by name. */
export const shapes: Record<string, RegistrationRequested> = {
  standard: meInvoice({ lines: [at21(100)] }),
  'cash receipt': meReceipt({ lines: [at21(100)] }),
  'invoice paid in cash': meInvoice({ lines: [at21(100)], document: { payment_method: 'cash' } }),
  'credit note': meInvoice({ lines: [at21(40)], document: { type: 'credit_note', corrects: 'inv_0' }, over: { original } }),
  corrective: meInvoice({
    lines: [{ ...at21(-20), quantity: -1 }],
    document: { type: 'corrective', corrects: 'inv_0' },
    over: { original },
  }),
  'void of a receipt': meReceipt({ lines: [{ ...at21(-100), quantity: -1 }], over: { original } }),
  exempt: meInvoice({ lines: [at21(80, { code: 'E', rate: 0, exemption_code: 'VAT_CL26' }), at21(20)] }),
  'tax free and export': meInvoice({ lines: [{ amount: 10, tax: null }, at21(30, { code: 'G', rate: 0 }), at21(5)] }),
  'several rates': meInvoice({ lines: [at21(10), at21(20, { rate: 7 }), at21(33.33, { rate: 15 }), at21(8, { code: 'Z', rate: 0 })] }),
  'foreign currency': meInvoice({ lines: [at21(100)], document: { currency: 'USD', exchange_rate: 0.92 } }),
  late: meInvoice({ lines: [at21(100)], over: { late_reason: 'no_internet' } }),
  '500 lines': meInvoice({ lines: Array.from({ length: 500 }, (_, n) => at21(n + 0.25, {})) }),
  'not in VAT': meInvoice({ issuer: { vat_registered: false }, lines: [{ amount: 10, tax: null }] }),
};
