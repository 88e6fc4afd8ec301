import { periodOf } from './period.ts';

test('defaults to the current month, as of today', () => {
  expect(periodOf({}, '2026-01-15')).toEqual({ from: '2026-01-01', to: '2026-01-31', as_of: '2026-01-15' });
  expect(periodOf({}, '2024-02-29')).toEqual({ from: '2024-02-01', to: '2024-02-29', as_of: '2024-02-29' });
  expect(periodOf({}, '2026-12-31')).toMatchObject({ from: '2026-12-01', to: '2026-12-31' });
});

test('keeps each given day', () => {
  const given = { from: '2025-05-05', to: '2025-05-05', as_of: '2025-05-04' };
  expect(periodOf(given, '2026-01-15')).toEqual(given);
  expect(periodOf({ from: '2025-05-05' }, '2026-01-15')).toMatchObject({ from: '2025-05-05', to: '2026-01-31' });
});

test('refuses a period that ends before it begins', () => {
  expect(() => periodOf({ to: '2025-12-31' }, '2026-01-15')).toThrow(
    expect.objectContaining({ code: 'invalid_request', details: { from: expect.any(Array) } }),
  );
});
