import type { AdjustmentInput, ItemInput } from '@svc/contracts/document/line';
import type { TaxInput } from '@svc/contracts/tax';
import { DomainError, jsonNumber } from '@svc/kernel';
import { documentAdjustmentsOf, itemsOf } from '@svc/totals/line';
import { linesShape, totalsShape } from '@svc/totals/shape';
import { checkedTotals } from '@svc/totals/totals';
import { negatedResource } from '../negated.ts';
import type { Preceding, UblInvoice } from '../ubl.ts';

export interface Given extends Partial<Omit<UblInvoice, 'items' | 'discounts' | 'charges'>> {
  items?: ItemInput[];
  discounts?: AdjustmentInput[];
  charges?: AdjustmentInput[];
}

const parties = {
  issuer: {
    id: 'iss_1',
    legal_name: 'Ferretería Núñez & Hijos, S.L.',
    trade_name: 'Ferretería <Núñez>',
    tax_id: 'B58378431',
    vat_registered: true,
    address: { line1: 'Calle Mayor 1', line2: null, city: 'Madrid', postal_code: '28013', region: null, country: 'ES' },
    country: 'ES',
    currency: 'EUR',
    time_zone: 'Europe/Madrid',
    language: 'es',
    software_code: null,
    units: [],
    operators: [],
    authority: 'sandbox',
  },
  customer: {
    id: 'cust_1',
    name: 'Παράδειγμα Α.Ε.',
    email: 'accounts@example.com',
    phone: '+30 210 0000000',
    tax_id: '094259216',
    language: 'el',
    address: { line1: 'Ερμού 2', line2: 'B', city: 'Αθήνα', postal_code: '10563', region: 'Αττική', country: 'GR' },
  },
};

const issuer = parties.issuer as unknown as NonNullable<UblInvoice['issuer']>;
const customer = parties.customer as unknown as NonNullable<UblInvoice['customer']>;

/** The customer with another tax number and country. */
export const buyerOf = (tax_id: string, country: string): NonNullable<UblInvoice['customer']> => ({
  ...customer,
  ...{ tax_id, address: { ...customer.address!, country } },
});
/** The issuer likewise. */
export const sellerOf = (tax_id: string, country: string): NonNullable<UblInvoice['issuer']> => ({
  ...issuer,
  ...{ tax_id, country, address: { ...issuer.address!, country } },
});

/** The totals of a document as a request's are calculated. */
export function calculatedOf(given: Given) {
  const { items = [line(100)], discounts = [], charges = [], currency = 'EUR', prices_include_tax = false, rounding = 'line' } = given;
  const content = {
    items: itemsOf(items, '21'),
    discounts: documentAdjustmentsOf(discounts),
    charges: documentAdjustmentsOf(charges),
    ...{ currency, prices_include_tax, rounding },
  };
  return { content, totals: checkedTotals(content, items, {}) };
}

/** The resource of a numbered document. */
export function documentOf(given: Given = {}, calculated = calculatedOf(given)): UblInvoice {
  const { items: _, discounts: _1, charges: _2, currency: _3, prices_include_tax: _4, rounding: _5, ...fields } = given;
  const { content, totals } = calculated;
  const { currency, prices_include_tax, rounding } = content;
  const moment = '2026-11-20T23:30:00.000Z';
  const invoice = {
    ...{ id: 'inv_1', object: 'invoice', type: 'standard', status: 'submitted', available_actions: [], customer_id: 'cust_1' },
    ...{ livemode: true, created_at: moment, updated_at: moment, series: 'INV', notes: 'Thank you.', metadata: {} },
    ...{ currency, prices_include_tax, rounding, ...linesShape(content, totals), ...totalsShape(totals) },
    ...{ issue_date: '2026-11-20', due_date: '2026-12-20', corrects: null },
    ...{ ...parties, number: 'INV-2026-000007', issued_at: moment, fiscal_code: 'F-1', fiscal: { code: 'F-1' } },
    ...{ amount_paid: 0, amount_credited: 0, amount_due: jsonNumber(totals.total), payment_status: 'unpaid', void: null, version: 5 },
    ...fields,
  } as unknown as UblInvoice;
  return given.voids ? { ...negatedResource(invoice), ...fields } : invoice;
}

/** Whether a request for the document would not be refused. */
export function isTaken(given: Given): boolean {
  try {
    return Boolean(documentOf(given));
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

export const vat = (rate: number, more: Partial<TaxInput> = {}): TaxInput => ({ rate, ...more });
export const line = (unit_price: number, taxes: TaxInput[] = [vat(21)], more: Partial<ItemInput> = {}): ItemInput => ({
  description: 'Hammer & nails',
  unit_price,
  taxes,
  ...more,
});

export const preceding: Preceding = { number: 'INV-2026-000003', issue_date: '2026-11-02' };
const irpf = vat(15, { category: 'IRPF', retained: true });
const exempt = vat(0, { code: 'E', exemption_reason: 'Article 20.1 of Law 37/1992' });
const reverse = vat(0, { code: 'AE' });

/** Documents of every shape by name. */
export const documents: Record<string, UblInvoice> = {
  'buyer in Monaco': documentOf({ customer: buyerOf('FR40000066034', 'MC') }),
  'buyer in Guadeloupe, reverse charge': documentOf({ customer: buyerOf('40 303 265 045', 'GP'), items: [line(10, [reverse])] }),
  'buyer in Northern Ireland, intra-community supply': documentOf({
    customer: buyerOf('XI432525179', 'GB'),
    items: [line(10, [vat(0, { code: 'K' })])],
    supply_date: '2026-11-18',
  }),
  'buyer with an EIN, export': documentOf({ customer: buyerOf('12-3456789', 'US'), items: [line(10, [vat(0, { code: 'G' })])] }),
  'buyer with a UID and MWST': documentOf({ customer: buyerOf('CHE-100.155.212 MWST', 'CH') }),
  'buyer with a national number, reverse charge': documentOf({ customer: buyerOf('CHE-100.155.212', 'CH'), items: [line(10, [reverse])] }),
  'seller in Réunion': documentOf({ issuer: sellerOf('FR40303265045', 'RE') }),
  'seller with a national number': documentOf({ issuer: sellerOf('02655284', 'ME'), items: [line(10), line(5, [exempt])] }),
  standard: documentOf({
    items: [
      line(19.99, [vat(21)], { quantity: 3, discounts: [{ percent: 10, reason: 'Loyalty' }], charges: [{ amount: 1.5 }] }),
      line(0.333, [vat(21)], { quantity: 12.5, unit: 'KGM' }),
    ],
    due_date: null,
    amount_paid: 20.25,
  }),
  'credit note': documentOf({ type: 'credit_note', corrects: 'inv_0', items: [line(40)], discounts: [{ amount: 5 }] }),
  'corrective of a void': documentOf({
    ...{ type: 'corrective', corrects: 'inv_0', voids: 'inv_0', amount_due: 0, prices_include_tax: true, due_date: null },
    items: [line(19.99, [vat(21)], { quantity: 3, discounts: [{ amount: 1.5 }] }), line(7, [vat(10)])],
    discounts: [{ amount: 0.01, reason: 'Voucher' }],
  }),
  corrective: documentOf({ type: 'corrective', corrects: 'inv_0', items: [line(40, [vat(21)], { quantity: -2 }), line(12.5)] }),
  exempt: documentOf({ items: [line(200, [exempt]), line(10.05, [exempt])] }),
  'reverse charge': documentOf({ items: [line(1000, [reverse])] }),
  'two rates': documentOf({ items: [line(10.01), line(20.02, [vat(10)]), line(3, [vat(0)])] }),
  'document discount with tax': documentOf({
    items: [line(100), line(50, [vat(10)])],
    discounts: [{ amount: 10, reason: 'Voucher', taxes: [vat(10)] }, { percent: 3 }],
    charges: [{ amount: 7.77, reason: 'Freight' }],
  }),
  'inclusive prices with a document discount': documentOf({
    prices_include_tax: true,
    items: [
      line(9.99, [vat(21)], { quantity: 3, discounts: [{ percent: 5 }] }),
      line(4.5, [vat(10)]),
      line(0.99, [vat(21)], { charges: [{ amount: 0.1 }] }),
    ],
    discounts: [{ percent: 7, reason: 'Autumn' }, { amount: 0.35 }],
    charges: [{ amount: 3.95, reason: 'Freight', taxes: [vat(21)] }],
  }),
  retention: documentOf({ items: [line(1000, [vat(21), irpf]), line(50)] }),
  surcharge: documentOf({ items: [line(100, [vat(21, { surcharge: 5.2 })]), line(50, [vat(10, { surcharge: 1.4 })]), line(30)] }),
  'foreign currency': documentOf({ currency: 'USD', exchange_rate: 0.91237, supply_date: '2026-11-18' }),
  '500 lines': documentOf({
    items: Array.from({ length: 500 }, (_, n) =>
      line((n + 1) / 7 > 1 ? Number(((n + 1) / 7).toFixed(4)) : 1, [vat([21, 10, 4][n % 3] ?? 21)]),
    ),
    discounts: [{ percent: 2.5 }],
  }),
  'every code': documentOf({
    items: [
      line(300),
      line(20, [vat(0)]),
      line(30, [exempt]),
      line(40, [reverse]),
      line(50, [vat(0, { code: 'K' })]),
      line(60, [vat(0, { code: 'G' })]),
    ],
    discounts: [{ percent: 5 }],
    charges: [{ amount: 3.33 }],
    supply_date: '2026-11-18',
  }),
  'outside the scope': documentOf({
    items: [line(75, []), line(25, [vat(0, { code: 'O' })])],
    discounts: [{ amount: 5 }],
    charges: [{ amount: 1 }],
  }),
};
