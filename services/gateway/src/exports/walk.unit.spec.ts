import type { Cursor } from './export.ts';
import { behind, fewerDays, movedBefore, type PageOfList, past, startOf, type Window, windowAt } from './walk.ts';

interface Document {
  id: string;
  day: string;
}

/**
 * Walks over two lists, whose documents `all` returns in the order of their days at each page. Returns how many pages it asks for, the longest of its lists, the
 * largest page, and the ids in the order in which it sees them.
 */
function walked(
  whole: { from: string; to: string },
  all: (list: number) => readonly Document[],
  between: (seen: string[]) => void = () => undefined,
) {
  const seen: string[] = [];
  let [asked, longest, largest] = [0, 0, 0];
  for (let cursor: Cursor | undefined = startOf(whole); cursor;) {
    asked += 1;
    const { list, from, to }: Pick<Cursor, 'list' | 'from' | 'to'> = cursor;
    const window: Window = windowAt(cursor);
    const found: readonly Document[] = all(list).filter(({ day }) => day >= from && day <= to);
    const page: PageOfList<Document> = { rows: found.slice(window.start, window.start + window.size), total: found.length };
    largest = Math.max(largest, window.size);
    const other: Cursor | undefined = fewerDays(cursor, page.total) ?? movedBefore(cursor, page, window);
    if (other) {
      cursor = other;
      continue;
    }
    longest = Math.max(longest, found.length);
    for (const [index, { id }] of page.rows.entries()) {
      if (cursor.seen.includes(id)) continue;
      seen.push(id);
      cursor = past(cursor, id, index, window);
    }
    cursor = behind(cursor, page, window, { lists: 2, whole });
    between(seen);
  }
  return { asked, longest, largest, seen };
}

const daysOf = (month: string): string[] => Array.from({ length: 28 }, (_, n) => `${month}-${String(n + 1).padStart(2, '0')}`);
const ofDay = (day: string, count: number): Document[] => Array.from({ length: count }, (_, n) => ({ id: `${day} ${n}`, day }));
const january = { from: '2026-01-01', to: '2026-01-31' };

test('every document is seen once, in parts of the days that have few of them, in small pages, and empty days cost next to nothing', () => {
  const documents = ['2026-01', '2026-02'].flatMap(daysOf).flatMap((day) => ofDay(day, 300));
  const { asked, longest, largest, seen } = walked({ from: '0001-01-01', to: '9999-12-31' }, (list) => (list === 0 ? documents : []));
  expect([seen.length, new Set(seen).size]).toEqual([documents.length, documents.length]);
  expect(longest).toBeLessThanOrEqual(2_000);
  expect(largest).toBeLessThan(20);
  expect(asked).toBeLessThan(documents.length / 4 + 200);
});

test('a day with more documents than that is walked through all the same', () => {
  const documents = ofDay('2026-01-07', 5_010);
  const { seen } = walked(january, (list) => (list === 1 ? documents : []));
  expect(seen).toEqual(documents.map(({ id }) => id));
});

test.each([1, 3, 7, 40, 400])('documents that leave the list meanwhile, %d at a time, hide none of the others', (count) => {
  const all = daysOf('2026-01').flatMap((day) => ofDay(day, 50));
  let now = all;
  const left = new Set<string>();
  let pages = 0;
  const { seen } = walked(
    january,
    (list) => (list === 0 ? now : []),
    (ids) => {
      pages += 1;
      if (pages % 30 !== 0) return;
      for (const id of ids
        .filter((one) => !left.has(one))
        .slice(-2 * count)
        .slice(0, count))
        left.add(id);
      now = all.filter(({ id }) => !left.has(id));
    },
  );
  expect(seen).toEqual(all.map(({ id }) => id));
  expect(left.size).toBeGreaterThan(count);
});

test('documents that come meanwhile, in front of those that were read, are no reason to read others twice', () => {
  const all = daysOf('2026-01').flatMap((day) => ofDay(day, 20));
  let now: readonly Document[] = all;
  const { seen } = walked(
    january,
    (list) => (list === 0 ? now : []),
    (ids) => {
      if (ids.length === 100) now = [...ofDay('2026-01-01', 33).slice(20), ...now];
    },
  );
  expect(new Set(seen).size).toBe(seen.length);
  expect(all.every(({ id }) => seen.includes(id))).toBe(true);
});
