import { ONE, soon } from '@svc/kernel';
import { cite } from './citations.ts';
import { rowId, type Part } from './part.ts';
import type { Reading, Report, Row } from './report.ts';

const partOf = (key: string, n: number): Part => ({
  ...{ key: { key }, currency: 'EUR', amounts: { total: ONE } },
  cites: { id: `inv_${n}`, number: `${n}`, amount: ONE, beside: { tax: ONE } },
});
const rowsOf = (...keys: string[]): Row[] =>
  keys.map((key) => ({ id: rowId({ key: { key }, currency: 'EUR' }), fields: () => ({}), references: [] }));
const report: Pick<Report, 'cited'> = {
  async *cited() {
    for (const [n, key] of ['a', 'b', 'a', 'c', 'c', 'c'].entries()) yield { day: '2026-01-10', parts: [partOf(key, n)] };
  },
};
const reading = { turn: soon } as unknown as Reading;

test('the rows of a page cite their documents, and only these are limited', async () => {
  const rows = rowsOf('a', 'b');
  await cite(report, reading, rows, 3);
  expect(rows.map(({ references }) => references.map(({ id, amount, tax }) => [id, amount, tax]))).toEqual([
    [
      ['inv_0', 1, 1],
      ['inv_2', 1, 1],
    ],
    [['inv_1', 1, 1]],
  ]);
  await expect(cite(report, reading, rowsOf('a', 'c'), 3)).rejects.toMatchObject({
    code: 'invalid_request',
    details: { cite: [expect.any(String)] },
  });
});
