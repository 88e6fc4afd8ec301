import { decimal, jsonNumber, round, sum, toText } from '@svc/kernel';
import { invoiceEvent, line, productId, receiptEvent } from '../testing/sample-documents.ts';
import { sampleFigures } from '../testing/sample-postings.ts';
import { figuresOf } from './figures-of.ts';

const invoice = (over: object = {}) => invoiceEvent(1, over).data;

test('are the amounts of a document, as texts', () => {
  expect(figuresOf(invoice(), 1)).toEqual(sampleFigures());
});

test.each([
  ['an invoice', {}, 1, 1],
  ['the void of an invoice', {}, -1, -1],
  ['a credit note', { type: 'credit_note', corrects: 'inv_01jqz5rk4e7000000000000009' }, 1, -1],
  ['the void of a credit note', { type: 'credit_note', corrects: 'inv_01jqz5rk4e7000000000000009' }, -1, 1],
] as const)('of %s count with their sign', (_what, over, documents, sign) => {
  expect(figuresOf(invoice(over), documents)).toEqual(sampleFigures({ documents, sign }));
});

test('what is to be paid is less retained tax; an invoice is due on its due date, else on its issue date', () => {
  expect(figuresOf(invoice({ retained_total: 15, due_date: '2026-02-10' }), 1)).toMatchObject({ payable: '105', due_on: '2026-02-10' });
  expect(figuresOf(invoice(), 1)).toMatchObject({ payable: '120', due_on: '2026-01-10' });
});

test('of an invoice say how it is to be paid, where it does', () => {
  expect(figuresOf(invoice({ payment_method: 'transfer' }), 1)).toMatchObject({ payment_method: 'transfer' });
  for (const over of [{}, { payment_method: null }]) expect(figuresOf(invoice(over), 1)).not.toHaveProperty('payment_method');
});

test('of a receipt say how it was paid, and at which till', () => {
  const payments = [
    { method: 'card', amount: 100 },
    { method: 'cash', amount: 20 },
  ];
  const { data } = receiptEvent(1, { payment_method: null, payments, unit: 'shop', device: 'till1', operator: 'op1' });
  const till = {
    payments: payments.map(({ method, amount }) => ({ method, amount: String(amount) })),
    unit: 'shop',
    device: 'till1',
    operator: 'op1',
  };
  const { due_on: _, ...figures } = sampleFigures();
  expect(figuresOf(data, 1)).toEqual({ ...figures, till });
});

test('keeps digits of amounts that a double does not hold', () => {
  const data = invoice({ total: 123456789012.25, subtotal: jsonNumber('9007199254740993.01') });
  expect(figuresOf(data, 1)).toMatchObject({ total: '123456789012.25', subtotal: '9007199254740993.01' });
});

test('makes a tax group per category, code and rate, with surcharges in the tax and retained tax apart', () => {
  const vat = { category: 'VAT', code: 'S', rate: 21, retained: false };
  const tax_breakdown = [
    { ...vat, base: 100, amount: 21, surcharge: { rate: 5.2, amount: 5.2 } },
    { ...vat, base: 50, amount: 10.5 },
    { category: 'IRPF', code: 'S', rate: 15, retained: true, base: 150, amount: 22.5 },
  ];
  expect(figuresOf(invoice({ tax_breakdown }), 1).taxes).toEqual([
    { category: 'VAT', code: 'S', rate: '21', base: '150', tax: '36.7', retained: '0', issuer: { base: '150', tax: '36.7' } },
    { category: 'IRPF', code: 'S', rate: '15', base: '150', tax: '0', retained: '22.5', issuer: { base: '150', tax: '0' } },
  ]);
});

test('sums the lines of a product and rounds their tax once, without retained tax', () => {
  const taxes = [
    { category: 'VAT', rate: 7, code: 'S', surcharge: 1.4 },
    { category: 'IRPF', rate: 15, code: 'S', retained: true },
  ];
  const items = [
    line({ product_id: productId(1), amount: 0.3, taxes }), // 8.4 %: 0.0252.
    line({ product_id: productId(1), quantity: 2, amount: 0.35, taxes }), // 8.4 %: 0.0294, together 0.0546.
    line({ product_id: productId(2), amount: 10, taxes: [] }),
    line({ amount: 5 }),
  ];
  expect(figuresOf(invoice({ items }), 1).products).toEqual([
    { product_id: productId(1), quantity: '3', subtotal: '0.65', tax: '0.05' },
    { product_id: productId(2), quantity: '1', subtotal: '10', tax: '0' },
  ]);
});

describe('of a document in another currency', () => {
  const vat = (rate: number, base: number, amount: number) => ({ category: 'VAT', code: 'S', rate, retained: false, base, amount });
  const taxesOf = (exchange_rate: number | undefined, ...tax_breakdown: object[]) =>
    figuresOf(invoice({ currency: 'USD', tax_breakdown, ...(exchange_rate !== undefined && { exchange_rate }) }), 1).taxes;

  test('have its taxes in the issuer’s too, at its own rate', () => {
    expect(taxesOf(0.91237, vat(20, 100.05, 20.01))).toMatchObject([{ issuer: { base: '91.28', tax: '18.26' } }]);
    expect(taxesOf(undefined, vat(20, 100.05, 20.01))[0]).not.toHaveProperty('issuer');
  });

  test.each<[string, number, [rate: number, base: number, amount: number][], string[]]>([
    ['of one half each', 1.2345, [[20, 2.5, 0.5], [10, 5, 0.5]], ['0.62', '0.61']], // prettier-ignore
    ['of different remainders', 1.2345, [[20, 2.5, 0.5], [10, 4, 0.4], [5, 6, 0.3]], ['0.62', '0.49', '0.37']], // prettier-ignore
    ['of both signs, as a corrective has that states another rate', 1.2345, [[20, 5000, 1000], [10, -9999.9, -999.99]], ['1234.5', '-1234.49']], // prettier-ignore
    ['of both signs and no sum', 1.2345, [[20, 25, 5], [10, -50, -5]], ['6.17', '-6.17']], // prettier-ignore
    ['and one without tax', 1.2345, [[20, 2.5, 0.5], [0, 5, 0]], ['0.62', '0']], // prettier-ignore
  ])('their taxes add up to the tax total that it shows, rounded once: groups %s', (_, rate, groups, expected) => {
    const taxes = taxesOf(rate, ...groups.map(([percent, base, amount]) => vat(percent, base, amount)));
    expect(taxes.map(({ issuer }) => issuer?.tax)).toEqual(expected);
    const shown = round(sum(groups.map(([, , amount]) => decimal(String(amount)))).times(String(rate)), 2);
    expect(toText(sum(taxes.map(({ issuer }) => decimal(issuer?.tax ?? '0'))))).toBe(toText(shown));
  });
});
