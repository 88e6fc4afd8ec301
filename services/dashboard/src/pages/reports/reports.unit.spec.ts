import { queryOf } from './reports.ts';

test('a time is sent as an instant, and what is none as it was typed', () => {
  expect(queryOf('sales', { known_at: '2026-11-29T10:00:00Z' })).toEqual({ known_at: '2026-11-29T10:00:00.000Z' });
  expect(queryOf('sales', { known_at: 'abc' })).toEqual({ known_at: 'abc' });
});
