import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { alInvoice, alReceipt, original } from '../../al-cis/testing/documents.ts';
import type { Producer } from '../record.ts';

export const producer: Producer = { name: 'Test producer', nif: '89890001K', system: 'Test system', id: '01', version: '1.0' };
const issuer = {
  ...{ legal_name: 'Emisor de prueba SL', tax_id: '89890001K', country: 'ES', currency: 'EUR', time_zone: 'Europe/Madrid' },
  address: { line1: 'Gran Vía 2', city: 'Madrid', country: 'ES' },
};
const customer = {
  ...{ id: 'cust_01k9zq3r7te8v9x0a1b2c3d412', name: 'Cliente & Hijos', tax_id: 'B12345674', email: null, phone: null, language: null },
  address: { line1: null, city: 'Madrid', country: 'ES' },
} as RegistrationRequested['customer'];
type Asked = NonNullable<Parameters<typeof alInvoice>[0]>;
const spanish = (asked: Asked, number: string): Asked => ({
  ...asked,
  issuer: { ...issuer, ...asked.issuer } as never,
  document: { currency: 'EUR', ...asked.document },
  over: { number, customer, ...asked.over },
});
/** An invoice of a Spanish issuer. */
export const esInvoice = (asked: Asked = {}, number = 'INV-2026-000001') => alInvoice(spanish(asked, number));
/** Of one of its receipts. */
export const esReceipt = (asked: Asked = {}, number = 'RCP/7') =>
  alReceipt(spanish({ ...asked, over: { customer: null, ...asked.over } }, number));
/** A line at the general rate. */
export const at21 = (amount: number, tax = {}) => ({ amount, tax: { rate: 21, ...tax } });
const corrected = { ...original, number: 'INV-2026-000000' };

/** The shapes of documents that the authority takes, by name. */
export const shapes: Record<string, RegistrationRequested> = {
  standard: esInvoice({ lines: [at21(100)] }),
  receipt: esReceipt({ lines: [{ amount: 30, tax: { rate: 10 } }] }),
  'credit note': esInvoice(
    { lines: [at21(40)], document: { type: 'credit_note', corrects: 'inv_0' }, over: { original: corrected } },
    'CN-1',
  ),
  corrective: esInvoice(
    { lines: [{ ...at21(-20), quantity: -1 }], document: { type: 'corrective', corrects: 'inv_0' }, over: { original: corrected } },
    'COR-1',
  ),
  'reverse charge': esInvoice({ lines: [{ amount: 80, tax: { code: 'AE', rate: 0 } }] }),
  exempt: esInvoice({ lines: [{ amount: 50, tax: { code: 'E', rate: 0, exemption_code: 'E1' } as never }, at21(100)] }),
  export: esInvoice({ lines: [{ amount: 50, tax: { code: 'G', rate: 0 } }] }),
  'not subject': esInvoice({ lines: [{ amount: 50, tax: null }, at21(10)] }),
  'several rates': esInvoice({ lines: [at21(10), { amount: 20, tax: { rate: 10 } }, { amount: 5.05, tax: { rate: 4 } }] }),
  'foreign currency': esInvoice({ lines: [at21(100)], document: { currency: 'USD', exchange_rate: 0.92 } }),
  'a customer abroad': esInvoice({
    lines: [{ amount: 80, tax: { code: 'K', rate: 0 } }],
    over: {
      customer: { ...customer, tax_id: 'FR12345678901', tax_ids: [{ country: 'FR', value: 'FR12345678901', kind: 'vat' }] } as never,
    },
  }),
  'a total of 100,000,000': esInvoice({ lines: [at21(100_000_000)] }),
  '500 lines': esInvoice({ lines: Array.from({ length: 500 }, () => at21(1.5)) }),
};
