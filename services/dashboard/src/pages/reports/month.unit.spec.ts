import { lastMonth, monthOf } from './month.ts';

test('a month has its first and its last day', () => {
  expect(monthOf('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  expect(monthOf('2026-13')).toBeUndefined();
});

test('the month to be closed is the one before', () => {
  expect([lastMonth('2026-11-29'), lastMonth('2026-01-01')]).toEqual(['2026-10', '2025-12']);
});
