import type { Cursor } from './export.ts';
import { behind, fewerDays, startOf } from './walk.ts';

const SIZE = 25;

/** Walks over documents, some a day of one list and none of another; returns the days and pages that it asks for, and how often it sees each day's documents. */
function walked(whole: { from: string; to: string }, perDay: (day: string) => number, days: readonly string[]) {
  const seen = new Map<string, number>();
  let asked = 0;
  let longest = 0;
  for (let cursor: Cursor | undefined = startOf(whole); cursor;) {
    asked += 1;
    const { list, from, to, page } = cursor;
    const inDays = list === 0 ? days.filter((day) => day >= from && day <= to) : [];
    const all = inDays.flatMap((day) => Array.from({ length: perDay(day) }, () => day));
    const fewer = fewerDays(cursor, all.length);
    if (fewer) {
      cursor = fewer;
      continue;
    }
    longest = Math.max(longest, all.length);
    for (const day of all.slice((page - 1) * SIZE, page * SIZE)) seen.set(day, (seen.get(day) ?? 0) + 1);
    cursor = behind(cursor, { total: all.length, size: SIZE, ids: [] }, 2, whole);
  }
  return { asked, longest, seen };
}

const daysOf = (month: string): string[] => Array.from({ length: 28 }, (_, n) => `${month}-${String(n + 1).padStart(2, '0')}`);

test('every document is seen once, in parts of the days that have few of them, and empty days cost next to nothing', () => {
  const days = ['2026-01', '2026-02', '2026-03'].flatMap(daysOf);
  const { asked, longest, seen } = walked({ from: '0001-01-01', to: '9999-12-31' }, () => 1_000, days);
  expect([...seen.values()].every((count) => count === 1_000)).toBe(true);
  expect(seen.size).toBe(days.length);
  expect(longest).toBeLessThanOrEqual(10_000);
  expect(asked).toBeLessThan((84 * 1_000) / SIZE + 200);
});

test('a day with more documents than that is walked through all the same', () => {
  const { seen } = walked({ from: '2026-01-01', to: '2026-01-31' }, () => 25_010, ['2026-01-07']);
  expect([...seen]).toEqual([['2026-01-07', 25_010]]);
});
