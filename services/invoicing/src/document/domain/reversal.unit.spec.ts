import fc from 'fast-check';
import { decimal } from '@svc/kernel';
import { totalsOf } from '@svc/totals/totals';
import type { DocumentContent } from './state.ts';
import { isVoidedByCorrective, negated, unnumbered } from './reversal.ts';

const tax = (rate: string, more: object = {}) => ({ category: 'VAT', rate, code: 'S' as const, retained: false, ...more });
const content: DocumentContent = {
  items: [
    {
      ...{ product_id: null, description: 'Tea', quantity: '3', unit: 'C62', unit_price: '9.99' },
      ...{ discounts: [{ amount: '1.5', reason: 'Loyalty' }, { percent: '5' }], charges: [{ amount: '0.3' }] },
      taxes: [tax('20', { surcharge: '5.2' }), tax('15', { category: 'IRPF', retained: true })],
    },
  ],
  discounts: [{ amount: '2' }, { percent: '10', taxes: [tax('20', { surcharge: '5.2' })] }],
  charges: [{ amount: '0' }],
  ...{
    currency: 'EUR',
    prices_include_tax: false,
    rounding: 'line',
    series: 'INV',
    notes: 'Thank you.',
    metadata: { simulate: 'refuse_void' },
  },
};
const totals = totalsOf({ ...content, decimals: 2 });

test('quantities and fixed amounts have the other sign, prices and percentages stay', () => {
  const { content: other } = negated({ content, totals, livemode: true });
  expect(other).toEqual({
    ...content,
    items: [
      {
        ...content.items[0],
        quantity: '-3',
        discounts: [{ amount: '-1.5', reason: 'Loyalty' }, { percent: '5' }],
        charges: [{ amount: '-0.3' }],
      },
    ],
    discounts: [{ amount: '-2' }, content.discounts[1]],
  });
});

test('of a test document, a void that is to be refused has the corrective rejected', () => {
  expect(negated({ content, totals, livemode: false }).content.metadata).toEqual({ simulate: 'reject' });
});

test('negated twice it is what it was', () => {
  expect(negated(negated2())).toEqual({ content, totals });
  function negated2() {
    return { ...negated({ content, totals, livemode: true }), livemode: true };
  }
});

/** Amounts with cents that are left over, which are given to other lines where the signs are others. */
const amounts = fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 6 });

test('every amount is the exact negative of the document, whose sums it therefore has', () => {
  fc.assert(
    fc.property(
      amounts,
      fc.boolean(),
      fc.constantFrom('line', 'precise'),
      fc.integer({ min: 1, max: 50 }),
      (prices, inclusive, rounding, off) => {
        const document = {
          ...content,
          ...{ prices_include_tax: inclusive, rounding: rounding as 'line' | 'precise', discounts: [{ amount: String(off / 100) }] },
          items: prices.map((price, n) => ({
            ...content.items[0]!,
            unit_price: String(price / 1000),
            taxes: [tax(n % 2 ? '20' : '10', { surcharge: '5.2' }), tax('15', { category: 'IRPF', retained: true })],
          })),
          charges: [{ amount: '0.07' }],
        };
        const issued = totalsOf({ ...document, decimals: 2 });
        const reversed = negated({ content: document, totals: issued, livemode: true });
        const sums = ({ lines, tax_breakdown, ...sums }: typeof issued): string[] => [
          ...Object.values(sums),
          ...lines.flatMap((line) => Object.values(line)),
          ...tax_breakdown.flatMap(({ base, amount, surcharge }) => [base, amount, surcharge?.amount ?? '0']),
        ];
        expect(sums(reversed.totals).map((amount) => decimal(amount).toString())).toEqual(
          sums(issued).map((amount) => decimal('0').minus(amount).toString()),
        );
        // What is calculated from its terms comes to the same sums: only cents that are left over are elsewhere.
        const calculated = totalsOf({ ...reversed.content, decimals: 2 });
        if (rounding === 'precise' || prices.length === 1) expect(calculated.total).toBe(reversed.totals.total);
      },
    ),
  );
});

test.each([
  ['AL', true],
  ['ME', true],
  ['ES', false],
  ['FR', false],
  [null, false],
])('%s: a void makes a corrective is %s', (country, is) => {
  expect(isVoidedByCorrective({ country })).toBe(is);
});

test('what a corrective without a number says fits the error of a void', () => {
  const { message } = unnumbered({ series: ['x'.repeat(3_000)] });
  expect([message.length, message.startsWith('The corrective takes no number: series xxx')]).toEqual([2_000, true]);
});
