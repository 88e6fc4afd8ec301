import { millisOf, plusDays } from '@svc/kernel';
import type { Cursor } from './export.ts';
import type { List } from './lists.ts';

/** A list with so many documents is walked through at a cost that grows with their square: its days are halved. */
const MOST_IN_DAYS = 10_000;

export interface PageOfList<Row> {
  rows: Row[];
  total: number;
}

export const startOf = ({ from, to }: { from: string; to: string }): Cursor => ({ list: 0, from, to, page: 1, last: [] });

/** The query for the page at a cursor. */
export const queryAt = (list: List, { from, to, page }: Cursor, size: number): Record<string, string> => ({
  ...list.query,
  ...{ issue_from: from, issue_to: to, sort: 'issue_date', page: String(page), per_page: String(size) },
});

/** The same days with fewer documents; undefined: they are few enough, or one day. */
export function fewerDays(cursor: Cursor, total: number): Cursor | undefined {
  const { from, to, page } = cursor;
  if (page > 1 || total <= MOST_IN_DAYS || from === to) return undefined;
  return { ...cursor, to: plusDays(from, Math.floor((daysFrom(from, to) - 1) / 2)) };
}

/** Where it goes on behind a page; undefined: it is through. `whole`: the days of the whole export. */
export function behind(
  cursor: Cursor,
  { total, size, ids }: { total: number; size: number; ids: string[] },
  lists: number,
  whole: { from: string; to: string },
): Cursor | undefined {
  if (cursor.page * size < total) return { ...cursor, page: cursor.page + 1, last: ids };
  if (cursor.to < whole.to) {
    const from = plusDays(cursor.to, 1);
    const days = 2 * daysFrom(cursor.from, cursor.to);
    const to = days >= daysFrom(from, whole.to) ? whole.to : plusDays(from, days - 1);
    return { list: cursor.list, from, to, page: 1, last: [] };
  }
  return cursor.list + 1 < lists ? { ...startOf(whole), list: cursor.list + 1 } : undefined;
}

const DAY_MS = 86_400_000;
/** How many days these are, both ends included. */
const daysFrom = (from: string, to: string): number => (millisOf(to) - millisOf(from)) / DAY_MS + 1;
