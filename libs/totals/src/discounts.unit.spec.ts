import { DomainError } from '@svc/kernel';
import fc from 'fast-check';
import type { DocumentAdjustment, LineTerms, Tax, Terms } from './terms.ts';
import { line, onDocument, vat } from './testing/terms.ts';
import { checkedTotals } from './totals.ts';

type Document = Omit<Terms, 'decimals'> & { currency: string };
const doc = (items: LineTerms[], over: Partial<Document> = {}): Document => ({ ...onDocument, currency: 'EUR', items, ...over });
const given = ({ items }: Document) => items.map(({ unit_price, quantity }) => ({ unit_price, quantity }));
/** The fields that are refused; [] for a document that is taken. */
function refused(document: Document): string[] {
  try {
    checkedTotals(document, given(document), {});
    return [];
  } catch (error) {
    if (error instanceof DomainError) return Object.keys(error.details ?? {});
    throw error;
  }
}
const both = (document: Document) => [refused(document), refused({ ...document, rounding: 'precise' })];
const amount = (value: string, taxes?: Tax[]): DocumentAdjustment => ({ amount: value, ...(taxes && { taxes }) });
const percent = (value: string): DocumentAdjustment => ({ percent: value });

test.each<[string, Document, string]>([
  ['a percentage above 100', doc([line('10', { discounts: [percent('100.5')] }), line('500')]), 'items.0.discounts.0'],
  ['percentages that add up to more', doc([line('500'), line('10', { discounts: [percent('60'), percent('41')] })]), 'items.1.discounts.1'],
  ['an amount above the line', doc([line('9.99', { discounts: [amount('10')] }), line('500')]), 'items.0.discounts.0'],
  ['an amount and a percentage', doc([line('100', { discounts: [amount('60'), percent('50')] })]), 'items.0.discounts.1'],
  ['charges do not make room', doc([line('10', { discounts: [amount('11')], charges: [amount('5')] })]), 'items.0.discounts.0'],
  ['a line below 0, past it', doc([line('10', { quantity: '-2', discounts: [percent('101')] }), line('50')]), 'items.0.discounts.0'],
  ['a line below 0, away from it', doc([line('10', { quantity: '-2', discounts: [amount('1')] }), line('50')]), 'items.0.discounts.0'],
  ['a document percentage above 100', doc([line('10')], { discounts: [percent('101')] }), 'discounts.0'],
  ['a document amount above the net', doc([line('10'), line('5')], { discounts: [amount('15.01')] }), 'discounts.0'],
  ['document discounts together', doc([line('10'), line('5')], { discounts: [amount('8'), percent('60')] }), 'discounts.1'],
  [
    'more than the group has',
    doc([line('10'), line('5', { taxes: [vat('10')] })], { discounts: [amount('5.01', [vat('10')])] }),
    'discounts.0',
  ],
  ['a group that no line is in', doc([line('10')], { discounts: [amount('1', [vat('10')])] }), 'discounts.0'],
  [
    'a shared one and one of a group',
    doc([line('10'), line('10', { taxes: [vat('10')] })], { discounts: [amount('10'), amount('6', [vat('10')])] }),
    'discounts.1',
  ],
])('%s is refused by name', (_what, document, field) => expect(both(document)).toEqual([[field], [field]]));

test.each<[string, Document]>([
  ['all of a line', doc([line('10', { discounts: [percent('60'), percent('40')] }), line('9.99', { discounts: [amount('9.99')] })])],
  ['all of the document', doc([line('10'), line('5')], { discounts: [amount('15')], charges: [amount('1')] })],
  ['all of a group', doc([line('10'), line('5', { taxes: [vat('10')] })], { discounts: [amount('5', [vat('10')])] })],
  ['a part of a line below 0', doc([line('10', { quantity: '-2', discounts: [percent('50')] }), line('50')])],
  ['lines of both signs', doc([line('20'), line('10', { quantity: '-1', taxes: [vat('10')] })], { discounts: [amount('3')] })],
  ['a document below 0', doc([line('10', { quantity: '-2' })], { discounts: [percent('10')] })],
])('%s is taken', (_what, document) => expect(both(document)).toEqual([[], []]));

test('whatever is taken lies between nothing and the document without discounts, in each row', () => {
  const adjustment = fc.oneof(
    fc.integer({ min: 0, max: 120 }).map((value) => percent(String(value))),
    fc.integer({ min: 0, max: 900 }).map((cents) => amount(String(cents / 100))),
  );
  const lines = fc
    .tuple(fc.integer({ min: 0, max: 2000 }), fc.constantFrom('20', '10'), fc.array(adjustment, { maxLength: 2 }))
    .map(([cents, rate, discounts]) => line(String(cents / 100), { discounts, taxes: [vat(rate)] }));
  const any = fc.record({
    items: fc.array(lines, { minLength: 1, maxLength: 5 }),
    discounts: fc.array(adjustment, { maxLength: 2 }),
    rounding: fc.constantFrom('line' as const, 'precise' as const),
  });
  fc.assert(
    fc.property(any, ({ items, ...over }) => {
      const document = doc(items, over);
      fc.pre(refused(document).length === 0);
      const whole = doc(
        items.map((one) => ({ ...one, discounts: [] })),
        { rounding: over.rounding },
      );
      const [taken, without] = [document, whole].map((one) => checkedTotals(one, given(one), {}));
      for (const { rate, base } of taken?.tax_breakdown ?? []) {
        const all = without?.tax_breakdown.find((row) => row.rate === rate);
        expect(Number(base)).toBeGreaterThanOrEqual(0);
        expect(Number(base)).toBeLessThanOrEqual(Number(all?.base));
      }
    }),
  );
});
