import { decimal, type Decimal, numberText, soon, sum, toText, ZERO } from '@svc/kernel';
import fc from 'fast-check';
import type { Part } from './part.ts';
import { createTally } from './tally.ts';
import type { Table } from './summed/table.ts';
import type { Window } from './window.ts';

const cents = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((n) => decimal(`${n}e-2`));

const part: fc.Arbitrary<Part> = fc
  .record({
    key: fc.constantFrom(null, 'a', 'b'),
    currency: fc.constantFrom('EUR', 'USD', 'ALL'),
    total: cents,
    other: fc.option(cents),
    n: fc.nat(30),
  })
  .map(({ key, currency, total, other, n }) => ({
    key: { key },
    currency,
    amounts: { total, other },
    cites: { id: `inv_${n}`, number: `${n}`, amount: total },
  }));

async function tallied(parts: readonly Part[]) {
  const tally = createTally({});
  for (const one of parts) tally.add([one], 1);
  const { rows, totals } = await tally.result({ turn: soon });
  return { rows: rows.map((row) => row.fields()) as unknown as Shown[], totals: totals as Shown[] };
}
interface Shown {
  key: string | null;
  currency: string;
  documents: number;
  total: number;
  other: number | null;
}
const exact = (values: readonly number[]): string => toText(sum(values.map((value) => decimal(numberText(value)))));

test('rows sum to the totals of their currency', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 30 }), async (parts) => {
      const { rows, totals } = await tallied(parts);
      expect(new Set(rows.map(({ key, currency }) => `${key} ${currency}`)).size).toBe(rows.length);
      expect(new Set(totals.map(({ currency }) => currency)).size).toBe(totals.length);
      for (const { currency, total, documents } of totals) {
        const own = rows.filter((row) => row.currency === currency);
        expect(exact(own.map((row) => row.total))).toBe(numberText(total));
        expect(own.reduce((count, row) => count + row.documents, 0)).toBe(documents);
      }
    }),
  );
});

test('gives the same sums and row order for any order of documents', async () => {
  const sums = async (parts: readonly Part[]): Promise<string> => JSON.stringify((await tallied(parts)).rows);
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 30 }), async (parts) => expect(await sums(parts.toReversed())).toBe(await sums(parts))),
  );
});

test('the rows of windows, one behind the other, are all rows in their order, whatever their number', async () => {
  const windowOf = async (parts: readonly Part[], window: Window) => {
    const tally = createTally({ window }, 1);
    for (const one of parts) {
      tally.add([one], 1);
      await tally.fit(soon);
    }
    return tally.result({ turn: soon });
  };
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), async (parts, most) => {
      const rows: string[] = [];
      for (let after: Window['after'], n = 0; n === 0 || after; n += 1) {
        const found = await windowOf(parts, { after, most });
        expect(found.rows.length).toBeLessThanOrEqual(most);
        rows.push(...found.rows.map((row) => JSON.stringify(row.fields())));
        after = found.last;
      }
      expect(rows).toEqual((await tallied(parts)).rows.map((row) => JSON.stringify(row)));
    }),
  );
});

const of = (key: string, amounts: Record<string, Decimal | null> = { total: ZERO }): Part => ({
  key: { key },
  currency: 'EUR',
  amounts,
  cites: { id: 'inv_1', number: '1', amount: ZERO },
});

test('what is not known of one document is not known of the sum', async () => {
  const tally = createTally({});
  for (const amount of [decimal('1'), null, decimal('2')]) tally.add([of('a', { total: amount })]);
  expect((await tally.result({ turn: soon })).totals).toEqual([{ currency: 'EUR', documents: 0, total: null }]);
});

test('a document in several rows counts once in the total', async () => {
  const tally = createTally({});
  tally.add([of('a'), of('b')], 1);
  expect((await tally.result({ turn: soon })).totals).toMatchObject([{ documents: 1 }]);
});

test('refuses a report that would be too large and never truncates it', async () => {
  const run = async (most: number) => {
    const tally = createTally({}, most);
    for (const key of ['a', 'b']) tally.add([of(key)], 1);
    return (await tally.result({ turn: soon })).rows.length;
  };
  expect(await run(2)).toBe(2);
  await expect(run(1)).rejects.toThrow(expect.objectContaining({ code: 'invalid_request', details: { from: [expect.any(String)] } }));
});

test('a currency of which no row counts has no totals', async () => {
  const tally = createTally({});
  const table = {
    kind: 'invoice',
    currency: 'EUR',
    at: [0],
    documents: [1],
    keys: { key: ['a'] },
    amounts: { total: { scale: 2, units: [100] } },
  } as const;
  const dollars = { ...table, currency: 'USD' };
  tally.addTotals(
    [table, dollars].map((one) => structuredClone(one) as unknown as Table),
    { counts: ({ currency }) => currency === 'USD' },
  );
  expect((await tally.result({ turn: soon })).totals).toMatchObject([{ currency: 'USD', documents: 1 }]);
});
