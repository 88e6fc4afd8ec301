import { exportOf } from './exports.ts';

test('an export is of the days of its form and the filters of the list that led to it', () => {
  const days = { kind: 'pdf', from: '2026-11-01', to: '2026-11-30' } as const;
  expect(exportOf(days, {})).toEqual(days);
  expect(exportOf(days, { types: 'standard,credit_note', customer_id: 'cust_1', q: 'boat' })).toEqual({
    ...{ ...days, types: ['standard', 'credit_note'], customer_id: 'cust_1', q: 'boat' },
  });
});
