import { countedOn } from '../../facts/counted.ts';
import { customerId, productId, sampleFact } from '../../testing/sample-documents.ts';
import { reportOf } from '../testing/report-of.ts';
import { sales } from './sales.ts';

const a = customerId(1);
const b = customerId(2);
const feed = productId(1);
const money = (subtotal: string, tax_total: string, total: string) => ({ subtotal, tax_total, total });

const standard = sampleFact(1, { customer_id: a, voided_on: '2026-02-03' });
const credit = sampleFact(2, { customer_id: a, is_credit_note: true, issued_on: '2026-01-12', ...money('30', '6', '36') });
const dollars = sampleFact(3, { customer_id: b, currency: 'USD', discount_total: '5', ...money('195', '39', '234') });
const receipt = sampleFact(4, { customer_id: null, kind: 'receipt', issued_on: '2026-01-31', ...money('10.1', '2.02', '12.12') });
const counted = [standard, credit, dollars, receipt].map((fact) => countedOn('issued_on', fact)).concat(countedOn('voided_on', standard));

const row = (
  key: string | null,
  currency: string,
  documents: number,
  subtotal: string,
  tax_total: string,
  total: string,
  discount_total = '0',
) => ({
  key,
  currency,
  documents,
  subtotal,
  discount_total,
  tax_total,
  total,
});
const totals = [
  { currency: 'EUR', documents: 2, subtotal: '-19.9', discount_total: '0', tax_total: '-3.98', total: '-23.88' },
  { currency: 'USD', documents: 1, subtotal: '195', discount_total: '5', tax_total: '39', total: '234' },
];

test('by day: a credit note has negative amounts, a void subtracts on its own day, currencies are separate', () => {
  expect(reportOf(sales, counted)).toEqual({
    rows: [
      row('2026-01-10', 'EUR', 1, '100', '20', '120'),
      row('2026-01-10', 'USD', 1, '195', '39', '234', '5'),
      row('2026-01-12', 'EUR', 1, '-30', '-6', '-36'),
      row('2026-01-31', 'EUR', 1, '10.1', '2.02', '12.12'),
      row('2026-02-03', 'EUR', -1, '-100', '-20', '-120'),
    ],
    totals,
  });
});

test('by month', () => {
  expect(reportOf(sales, counted, 'month')).toEqual({
    rows: [
      row('2026-01', 'EUR', 3, '80.1', '16.02', '96.12'),
      row('2026-01', 'USD', 1, '195', '39', '234', '5'),
      row('2026-02', 'EUR', -1, '-100', '-20', '-120'),
    ],
    totals,
  });
});

test('by week', () => {
  expect(reportOf(sales, counted, 'week').rows.map((one) => Object.values(one).slice(0, 3))).toEqual([
    ['2026-W02', 'EUR', 1],
    ['2026-W02', 'USD', 1],
    ['2026-W03', 'EUR', 1],
    ['2026-W05', 'EUR', 1],
    ['2026-W06', 'EUR', -1],
  ]);
});

test('by customer: documents without one come last', () => {
  expect(reportOf(sales, counted, 'customer')).toEqual({
    rows: [row(a, 'EUR', 1, '-30', '-6', '-36'), row(b, 'USD', 1, '195', '39', '234', '5'), row(null, 'EUR', 1, '10.1', '2.02', '12.12')],
    totals,
  });
});

describe('by product', () => {
  const product = { product_id: feed, subtotal: '60', tax: '12' };

  test('puts the rest under null: other lines and document discounts', () => {
    const fact = sampleFact(1, { ...money('90', '18', '108'), discount_total: '10', products: [product] });
    expect(reportOf(sales, [countedOn('issued_on', fact)], 'product')).toEqual({
      rows: [row(feed, 'EUR', 1, '60', '12', '72'), row(null, 'EUR', 1, '30', '6', '36', '10')],
      totals: [{ currency: 'EUR', documents: 1, subtotal: '90', discount_total: '10', tax_total: '18', total: '108' }],
    });
  });

  test('has no rest when the products are all of the document', () => {
    const fact = sampleFact(1, { ...money('60', '12', '72'), products: [product] });
    expect(reportOf(sales, [countedOn('issued_on', fact)], 'product').rows).toEqual([row(feed, 'EUR', 1, '60', '12', '72')]);
  });
});

test('adds the amounts of a voided credit note', () => {
  const fact = { ...credit, voided_on: '2026-01-20' };
  expect(reportOf(sales, [countedOn('voided_on', fact)]).rows).toEqual([row('2026-01-20', 'EUR', -1, '30', '6', '36')]);
});
