import { isOver, type Session, sessionTerms } from './session.ts';

const HOUR_MS = 3_600_000;
const isOverAt = (hours: number, { used, ended = null }: { used: number; ended?: number | null }): boolean =>
  isOver({ created_at: 0, last_used_at: used * HOUR_MS, ended_at: ended } as Session, sessionTerms, hours * HOUR_MS);

test('a session ends 2 hours after its last use, 12 hours after it began, and by itself', () => {
  expect([isOverAt(1.99, { used: 0 }), isOverAt(2, { used: 0 })]).toEqual([false, true]);
  expect([isOverAt(11.99, { used: 11 }), isOverAt(12, { used: 11.5 })]).toEqual([false, true]);
  expect(isOverAt(1, { used: 1, ended: HOUR_MS })).toBe(true);
});
