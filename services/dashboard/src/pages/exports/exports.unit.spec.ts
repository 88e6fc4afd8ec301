import { daysOf, exportOf } from './exports.ts';

test('an export is of the days of its form and the filters of the list that led to it', () => {
  const days = { kind: 'pdf', from: '2026-11-01', to: '2026-11-30' } as const;
  expect(exportOf(days, {})).toEqual(days);
  expect(exportOf(days, { due_to: '2026-11-28' })).toEqual({ ...days, due_to: '2026-11-28' });
  expect(exportOf(days, { types: 'standard,credit_note', customer_id: 'cust_1', q: 'boat' })).toEqual({
    ...{ ...days, types: ['standard', 'credit_note'], customer_id: 'cust_1', q: 'boat' },
  });
});

test('an export of a list is of all its days; one without a list begins with the month so far', () => {
  expect(daysOf({}, '2026-11-29')).toEqual({ from: '2026-11-01', to: '2026-11-29' });
  expect(daysOf({ payment_statuses: 'unpaid', due_to: '2026-11-28' }, '2026-11-29').from < '2026-01-01').toBe(true);
  expect(daysOf({ types: 'receipt', from: '2026-10-01', to: '2026-10-31' }, '2026-11-29')).toEqual({
    from: '2026-10-01',
    to: '2026-10-31',
  });
});
