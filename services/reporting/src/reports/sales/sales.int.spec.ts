import type { Grouping } from '@svc/contracts/report/query';
import type { Posting } from '../../postings/posting.ts';
import { customerId, productId, receiptId } from '../../testing/sample-documents.ts';
import { samplePosting, voidOf } from '../../testing/sample-postings.ts';
import { reportOf } from '../testing/report-of.ts';
import { sales } from './sales.ts';

const a = customerId(1);
const b = customerId(2);
const feed = productId(1);
const money = (subtotal: string, tax_total: string, total: string) => ({ subtotal, tax_total, total });

const standard = samplePosting(1, { customer_id: a, figures: { customer_name: 'Ann' } });
const credit = samplePosting(2, {
  customer_id: a,
  issued_on: '2026-01-12',
  figures: { sign: -1, ...money('30', '6', '36'), customer_name: 'Ann B.' },
});
const dollars = samplePosting(3, { customer_id: b, currency: 'USD', figures: { discount_total: '5', ...money('195', '39', '234') } });
const till = (...payments: [method: 'cash' | 'card', amount: string][]) => ({
  till: { payments: payments.map(([method, amount]) => ({ method, amount })), unit: 'shop', device: 'till1', operator: 'op1' },
});
const receipt = samplePosting(4, {
  document: receiptId(4),
  customer_id: null,
  kind: 'receipt',
  issued_on: '2026-01-31',
  figures: { ...money('10.1', '2.02', '12.12'), ...till(['cash', '12.12']) },
});
const all = [standard, credit, dollars, receipt, voidOf(standard, '2026-02-03')];

const row = (
  key: string | null,
  currency: string,
  documents: number,
  [subtotal, tax_total, total]: [number, number, number],
  discount_total = 0,
) => ({ key, currency, documents, subtotal, discount_total, tax_total, total });
const totals = [
  { currency: 'EUR', documents: 2, subtotal: -19.9, discount_total: 0, tax_total: -3.98, total: -23.88 },
  { currency: 'USD', documents: 1, subtotal: 195, discount_total: 5, tax_total: 39, total: 234 },
];
const by = (grouping: Grouping | undefined, postings: readonly Posting[] = all) => reportOf(sales, postings, { grouping });

test('by day: a credit note has negative amounts, a void subtracts on its own day, currencies are separate', async () => {
  expect(await by(undefined)).toMatchObject({
    rows: [
      row('2026-01-10', 'EUR', 1, [100, 20, 120]),
      row('2026-01-10', 'USD', 1, [195, 39, 234], 5),
      row('2026-01-12', 'EUR', 1, [-30, -6, -36]),
      row('2026-01-31', 'EUR', 1, [10.1, 2.02, 12.12]),
      row('2026-02-03', 'EUR', -1, [-100, -20, -120]),
    ],
    totals,
  });
});

test('by month', async () => {
  expect(await by('month')).toMatchObject({
    rows: [
      row('2026-01', 'EUR', 3, [80.1, 16.02, 96.12]),
      row('2026-01', 'USD', 1, [195, 39, 234], 5),
      row('2026-02', 'EUR', -1, [-100, -20, -120]),
    ],
    totals,
  });
});

test('by week', async () => {
  expect((await by('week')).rows.map(({ key, currency, documents }) => [key, currency, documents])).toEqual([
    ['2026-W02', 'EUR', 1],
    ['2026-W02', 'USD', 1],
    ['2026-W03', 'EUR', 1],
    ['2026-W05', 'EUR', 1],
    ['2026-W06', 'EUR', -1],
  ]);
});

test('by customer: with the name on the last document; documents without a customer come last', async () => {
  expect(await by('customer', all.slice(0, 4))).toMatchObject({
    rows: [
      { ...row(a, 'EUR', 2, [70, 14, 84]), customer_name: 'Ann B.' },
      row(b, 'USD', 1, [195, 39, 234], 5),
      { ...row(null, 'EUR', 1, [10.1, 2.02, 12.12]), customer_name: null },
    ],
  });
});

test.each([
  ['device', 'till1'],
  ['operator', 'op1'],
  ['unit', 'shop'],
] as const)('by %s: invoices have none', async (grouping, key) => {
  expect((await by(grouping, [standard, receipt])).rows).toEqual([
    row(key, 'EUR', 1, [10.1, 2.02, 12.12]),
    row(null, 'EUR', 1, [100, 20, 120]),
  ]);
});

test('by payment method: a receipt that was paid in two ways is shared by what was paid, to the cent', async () => {
  const mixed = samplePosting(5, {
    document: receiptId(5),
    kind: 'receipt',
    figures: { ...money('8.34', '1.67', '10.01'), discount_total: '0.05', ...till(['card', '3.34'], ['cash', '5.67'], ['cash', '1']) },
  });
  const { rows, totals: sums } = await by('payment_method', [mixed, receipt]);
  expect(rows).toEqual([row('card', 'EUR', 1, [2.78, 0.56, 3.34], 0.02), row('cash', 'EUR', 2, [15.66, 3.13, 18.79], 0.03)]);
  expect(sums).toEqual([{ currency: 'EUR', documents: 2, subtotal: 18.44, discount_total: 0.05, tax_total: 3.69, total: 22.13 }]);
});

test('by payment method: an invoice is under the one that it names', async () => {
  const byTransfer = samplePosting(6, { figures: { payment_method: 'transfer' } });
  expect((await by('payment_method', [byTransfer, standard])).rows).toEqual([
    row('transfer', 'EUR', 1, [100, 20, 120]),
    row(null, 'EUR', 1, [100, 20, 120]),
  ]);
});

describe('by product', () => {
  const product = { product_id: feed, quantity: '3', subtotal: '60', tax: '12' };

  test('puts the rest under null: other lines and document discounts', async () => {
    const posting = samplePosting(1, { figures: { ...money('90', '18', '108'), discount_total: '10', products: [product] } });
    expect(await by('product', [posting])).toMatchObject({
      rows: [row(feed, 'EUR', 1, [60, 12, 72]), row(null, 'EUR', 1, [30, 6, 36], 10)],
      totals: [{ currency: 'EUR', documents: 1, subtotal: 90, discount_total: 10, tax_total: 18, total: 108 }],
    });
  });

  test('has no rest when the products are all of the document', async () => {
    const posting = samplePosting(1, { figures: { ...money('60', '12', '72'), products: [product] } });
    expect((await by('product', [posting])).rows).toEqual([row(feed, 'EUR', 1, [60, 12, 72])]);
  });
});

test('adds the amounts of a voided credit note', async () => {
  expect((await by('day', [voidOf(credit, '2026-01-20')])).rows).toEqual([row('2026-01-20', 'EUR', -1, [30, 6, 36])]);
});

test('thousands of documents count once each, in bounded pieces', async () => {
  const many = Array.from({ length: 2_500 }, (_, n) =>
    samplePosting(n, { issued_on: `2026-01-${String(28 - (n % 28)).padStart(2, '0')}` }),
  );
  const others = [
    samplePosting(9_001, { issued_on: '2026-02-01' }),
    samplePosting(9_002, { account: 'acct_other' }),
    samplePosting(9_003, { env: 'live' }),
  ];
  const turns: number[] = [];
  const period = { from: '2026-01-01', to: '2026-01-31', turn: async (bytes: number) => void turns.push(bytes) };
  const { totals: sums } = await reportOf(sales, [...many, ...others], period as object);
  expect(sums).toMatchObject([{ documents: 2_500, total: 300_000 }]);
});
