import type { CitedDocument } from '@svc/contracts/report/rows';
import { decimal, type Decimal, numberText, sum, toText } from '@svc/kernel';
import fc from 'fast-check';
import { countedOn, type Counted } from '../facts/counted.ts';
import type { Fact } from '../facts/fact.ts';
import { customerId, productId, sampleFact } from '../testing/sample-documents.ts';
import type { Report } from './report.ts';
import { sales } from './sales/sales.ts';
import { served } from './served.ts';
import { createTally } from './tally.ts';

const cents = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((n) => toText(decimal(`${n}e-2`)));
const day = fc.constantFrom('2025-12-29', '2025-12-31', '2026-01-01', '2026-01-31', '2026-02-01');
const plus = (a: string, b: string): string => toText(decimal(a).plus(b));

const fact: fc.Arbitrary<Fact> = fc
  .record({
    n: fc.nat(30),
    amounts: fc.record({ subtotal: cents, tax_total: cents, discount_total: cents, paid: cents, due: cents }),
    rest: fc.record({
      is_credit_note: fc.boolean(),
      customer_id: fc.constantFrom(null, customerId(1), customerId(2)),
      currency: fc.constantFrom('EUR', 'USD', 'ALL'),
      issued_on: day,
      voided_on: fc.option(day),
    }),
    taxes: fc.uniqueArray(
      fc.record({
        category: fc.constantFrom('VAT', 'IRPF'),
        code: fc.constantFrom('S', 'Z'),
        rate: fc.constantFrom('5.5', '20'),
        base: cents,
        tax: cents,
        retained: cents,
      }),
      { maxLength: 3, selector: ({ category, code, rate }) => `${category} ${code} ${rate}` },
    ),
    products: fc.uniqueArray(fc.record({ product_id: fc.constantFrom(productId(1), productId(2)), subtotal: cents, tax: cents }), {
      selector: ({ product_id }) => product_id,
    }),
  })
  .map(({ n, amounts, rest, ...lists }) =>
    sampleFact(n, {
      ...amounts,
      total: plus(amounts.subtotal, amounts.tax_total),
      ...rest,
      ...(lists as Pick<Fact, 'taxes' | 'products'>),
    }),
  );
const counted: fc.Arbitrary<Counted[]> = fc
  .array(fact, { maxLength: 30 })
  .map((facts) => facts.flatMap((one) => [countedOn('issued_on', one), ...(one.voided_on === null ? [] : [countedOn('voided_on', one)])]));

const amountOf = ({ amount }: CitedDocument): Decimal => decimal(numberText(amount));
/** The columns that the cited amounts sum to, where these are not `total`. */
const citedColumns: Record<string, string[]> = { tax: ['tax', 'retained'] };

const cases = served.flatMap((report) =>
  (report.groupings.length === 0 ? [undefined] : report.groupings).map((grouping) => [report.name, grouping, report] as const),
);

function tallied(report: Report, all: Counted[], grouping: (typeof cases)[number][1]) {
  const tally = createTally({ cites: true });
  for (const one of all) tally.add(one, report.parts(one, grouping));
  return { rows: tally.rows(), totals: tally.totals() };
}

describe.each(cases)('%s by %s', (name, grouping, report) => {
  test('cited amounts sum to their row, and rows to the totals of their currency', () => {
    fc.assert(
      fc.property(counted, (all) => {
        const { rows, totals } = tallied(report, all, grouping);
        for (const row of rows) {
          const expected = sum((citedColumns[name] ?? ['total']).map((column) => row.amounts[column] as Decimal));
          expect(toText(sum(row.references.map(amountOf)))).toBe(toText(expected));
        }
        expect(new Set(totals.map(({ currency }) => currency)).size).toBe(totals.length);
        for (const { currency, amounts } of totals)
          for (const [column, total] of Object.entries(amounts)) {
            const ofCurrency = rows.filter((row) => row.currency === currency).map((row) => row.amounts[column] as Decimal);
            expect(toText(sum(ofCurrency))).toBe(toText(total));
          }
        expect(new Set(rows.map(({ key, currency }) => JSON.stringify([key, currency]))).size).toBe(rows.length);
      }),
    );
  });
});

test('gives the same sums and row order for any order of documents', () => {
  const sums = (all: Counted[]): string =>
    JSON.stringify(
      tallied(sales, all, 'customer').rows.map(({ key, currency, amounts, documents }) => [key, currency, amounts, documents]),
    );
  fc.assert(fc.property(counted, (all) => expect(sums(all.toReversed())).toBe(sums(all))));
});

describe('limits', () => {
  const two = ['2026-01-10', '2026-01-11'].map((issued_on, n) => countedOn('issued_on', sampleFact(n, { issued_on })));
  const run = (limits: { rows: number; references: number }) => {
    const tally = createTally({ cites: true }, limits);
    for (const one of two) tally.add(one, sales.parts(one, 'day'));
    return tally.rows().length;
  };

  test('refuses a report that would be too large and never truncates it', () => {
    expect(run({ rows: 2, references: 2 })).toBe(2);
    expect(() => run({ rows: 1, references: 2 })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    expect(() => run({ rows: 2, references: 1 })).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { cite: expect.any(Array) } }),
    );
  });
});
