import type { Asked } from './export.ts';
import { nameOf } from './formats.ts';
import { listsOf } from './lists.ts';

const days = { from: '2026-01-01', to: '2026-01-31' };
const asked = (over: Partial<Asked>, kind: 'csv' | 'ubl' = 'csv') =>
  listsOf({ kind, asked: { ...days, ...over } }).map(({ path, query }) => [path, query['type'], query['status']]);

test('documents with a number are of both lists, each asked for the types and statuses that it knows', () => {
  const [ofInvoices, ofReceipts] = ['submitting,submitted,failed,voiding,voided', 'voiding,voided,issued'];
  expect(asked({})).toEqual([
    ['/invoices', undefined, ofInvoices],
    ['/receipts', undefined, ofReceipts],
  ]);
  expect(asked({ types: ['receipt'] })).toEqual([['/receipts', 'receipt', ofReceipts]]);
  expect(asked({ types: ['standard'] })).toEqual([['/invoices', 'standard', ofInvoices]]);
  expect(asked({ types: ['corrective'] }).map(([path, type]) => [path, type])).toEqual([
    ['/invoices', 'corrective'],
    ['/receipts', 'corrective'],
  ]);
  expect(asked({ statuses: ['submitted'] })).toEqual([['/invoices', undefined, 'submitted']]);
  expect(asked({ payment_statuses: ['unpaid'] })).toHaveLength(1);
  expect(asked({ types: ['receipt'] }, 'ubl')).toEqual([]);
});

test('it has the filters of a list; those that only invoices know leave out the receipts', () => {
  const created = { created_from: '2026-01-02', created_to: '2026-01-03T10:00:00Z' };
  const both = listsOf({ kind: 'csv', asked: { ...days, ...created, numbers: ['INV-1', 'INV-2'], corrects: ['inv_1'] } });
  for (const { query } of both) expect(query).toMatchObject({ ...created, number: 'INV-1,INV-2', corrects: 'inv_1' });
  const due = listsOf({ kind: 'csv', asked: { ...days, due_from: '2026-02-01', due_to: '2026-02-28' } });
  expect([both.length, due.map(({ path, query }) => [path, query['due_from'], query['due_to']])]).toEqual([
    2,
    [['/invoices', '2026-02-01', '2026-02-28']],
  ]);
});

test('a file has the number as its name, where all file systems take it; different numbers have different names', () => {
  expect(nameOf('INV-2026-000001', 'inv_0000000000000000000000aaaa')).toBe('INV-2026-000001');
  expect(nameOf('1/2026', 'inv_0000000000000000000000aaaa')).toBe('1-2026_0000aaaa');
  expect(nameOf('../../x', 'inv_0000000000000000000000aaaa')).toBe('----x_0000aaaa');
});
