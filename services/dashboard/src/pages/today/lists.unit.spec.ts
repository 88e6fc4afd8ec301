import { listOf } from './lists.ts';

test('what is overdue leads to the invoices that are counted: issued, open and due before today', () => {
  expect(listOf('overdue', new Date('2026-03-01T00:30:00Z'))).toEqual({
    to: '/app/invoices',
    search: { status: 'submitted', payment_status: 'unpaid,partial', due_to: '2026-02-28' },
  });
});
