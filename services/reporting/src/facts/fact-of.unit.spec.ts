import { jsonNumber } from '@svc/kernel';
import { invoiceEvent, line, productId, receiptEvent, registered, sampleFact, voidedAt } from '../testing/sample-documents.ts';
import { factOf } from './fact-of.ts';

test('makes a fact of a registered invoice, with amounts as texts', () => {
  expect(factOf(invoiceEvent(1))).toEqual(sampleFact(1));
});

describe('makes no fact of a document without a registration', () => {
  test.each([
    ['a draft', { status: 'draft', fiscal: null, number: null, issue_date: null, issued_at: null, issuer: null }],
    ['one on its way', { status: 'submitting', fiscal: { ...registered, status: 'pending' } }],
    ['one with an unknown outcome', { status: 'submitting', fiscal: { ...registered, status: 'unknown' } }],
    ['a rejected one', { status: 'failed', fiscal: { ...registered, status: 'rejected' } }],
    [
      'one voided after its rejection',
      { status: 'voided', fiscal: { ...registered, status: 'rejected' }, void: voidedAt('2026-01-11T09:00:00.000Z') },
    ],
  ])('%s', (_what, over) => expect(factOf(invoiceEvent(1, over))).toBeUndefined());

  test('makes no fact of a receipt with a number only', () =>
    expect(factOf(receiptEvent(1, { fiscal: { ...registered, status: 'pending' } }))).toBeUndefined());
});

describe('voids', () => {
  const late = voidedAt('2026-02-28T23:30:00.000Z'); // Already March in Tirana.

  test('are dated in the issuer’s time zone', () => {
    const over = { status: 'voided', fiscal: { ...registered, status: 'cancelled' }, void: late };
    expect(factOf(invoiceEvent(1, over))).toMatchObject({ issued_on: '2026-01-10', voided_on: '2026-03-01' });
  });

  test('that were only requested or refused do not count', () => {
    expect(factOf(invoiceEvent(1, { status: 'voiding', void: { ...late, voided_at: null } }))?.voided_on).toBeNull();
    const refused = { ...late, voided_at: null, error: { code: 'too_late', message: 'Too late.' } };
    expect(factOf(invoiceEvent(1, { void: refused }))?.voided_on).toBeNull();
  });
});

describe('paid and due amounts', () => {
  test('of an invoice: due is less retained tax and payments, not less credits', () => {
    const over = { retained_total: 15, amount_paid: 40.5, amount_credited: 20, amount_due: 44.5, payment_status: 'partial' };
    expect(factOf(invoiceEvent(1, over))).toMatchObject({ paid: '40.5', due: '64.5' });
  });

  test('of a receipt: all is paid', () => {
    expect(factOf(receiptEvent(1, { retained_total: 15 }))).toMatchObject({ kind: 'receipt', customer_id: null, paid: '105', due: '0' });
  });
});

test('keeps digits of amounts that a double does not hold', () => {
  const event = invoiceEvent(1, { total: 123456789012.25, subtotal: jsonNumber('9007199254740993.01') });
  expect(factOf(event)).toMatchObject({ total: '123456789012.25', subtotal: '9007199254740993.01' });
});

test('makes a tax group per category, code and rate, with surcharges in the tax and retained tax apart', () => {
  const vat = { category: 'VAT', code: 'S', rate: 21, retained: false };
  const tax_breakdown = [
    { ...vat, base: 100, amount: 21, surcharge: { rate: 5.2, amount: 5.2 } },
    { ...vat, base: 50, amount: 10.5 },
    { category: 'IRPF', code: 'S', rate: 15, retained: true, base: 150, amount: 22.5 },
  ];
  expect(factOf(invoiceEvent(1, { tax_breakdown }))?.taxes).toEqual([
    { category: 'VAT', code: 'S', rate: '21', base: '150', tax: '36.7', retained: '0' },
    { category: 'IRPF', code: 'S', rate: '15', base: '150', tax: '0', retained: '22.5' },
  ]);
});

test('sums the lines of a product and rounds their tax once, without retained tax', () => {
  const taxes = [
    { category: 'VAT', rate: 7, code: 'S', surcharge: 1.4 },
    { category: 'IRPF', rate: 15, code: 'S', retained: true },
  ];
  const items = [
    line({ product_id: productId(1), amount: 0.3, taxes }), // 8.4 %: 0.0252.
    line({ product_id: productId(1), amount: 0.35, taxes }), // 8.4 %: 0.0294, together 0.0546.
    line({ product_id: productId(2), amount: 10, taxes: [] }),
    line({ amount: 5 }),
  ];
  expect(factOf(invoiceEvent(1, { items }))?.products).toEqual([
    { product_id: productId(1), subtotal: '0.65', tax: '0.05' },
    { product_id: productId(2), subtotal: '10', tax: '0' },
  ]);
});

test('marks a credit note and keeps its amounts', () => {
  const over = { type: 'credit_note', corrects: 'inv_01jqz5rk4e7000000000000009' };
  expect(factOf(invoiceEvent(1, over))).toEqual(sampleFact(1, { is_credit_note: true }));
});

test('leaves out the corrective by which an invoice is voided: the void itself counts', () => {
  const over = { type: 'corrective', corrects: 'inv_01jqz5rk4e7000000000000009' };
  expect(factOf(invoiceEvent(1, { ...over, voids: over.corrects }))).toBeUndefined();
  expect(factOf(invoiceEvent(1, over))).toEqual(sampleFact(1));
});
