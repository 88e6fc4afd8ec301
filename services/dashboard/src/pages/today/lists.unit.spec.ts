import { listsOf } from './lists.ts';

test('what is overdue leads to the invoices that are counted: issued, open and due before today', () => {
  expect(listsOf('overdue', '2026-03-01')).toEqual([
    { of: 'invoices', search: { status: 'submitted', payment_status: 'unpaid,partial', due_to: '2026-02-28' } },
  ]);
});

test('what is counted of invoices and receipts leads to both', () => {
  for (const kind of ['refused', 'in_doubt', 'needs_review'])
    expect(listsOf(kind, '2026-03-01').map(({ of }) => of)).toEqual(['invoices', 'receipts']);
});
