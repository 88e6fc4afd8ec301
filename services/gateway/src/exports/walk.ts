import { millisOf, plusDays } from '@svc/kernel';
import type { Cursor } from './export.ts';
import type { List } from './lists.ts';

/** A list with so many documents is walked through at a cost that grows with their square: its days are halved. */
const MOST_IN_DAYS = 2_000;
/** Ids that are kept: all of these days, unless one day has more. */
const MOST_SEEN = MOST_IN_DAYS;
/** Documents of a page, and how many of them are new at least. Each may have 640 KiB, and a step holds a page. */
const [LEAST_PAGE, LEAST_NEW] = [5, 3];

export interface PageOfList<Row> {
  rows: Row[];
  total: number;
}

/** A page of a list: its number, its documents, and how many are before it. */
export interface Window {
  page: number;
  size: number;
  start: number;
}

export const startOf = ({ from, to }: { from: string; to: string }): Cursor => ({ list: 0, from, to, read: 0, seen: [] });

/**
 * The page to read at a cursor: the first one, or one that begins with a document that was read. So it shows where documents have left the list meanwhile, by which
 * those behind them have moved. Pages begin at multiples of their size, so the size follows from where this one has to begin: below 20 up to 200,000 documents.
 */
export function windowAt({ read }: Pick<Cursor, 'read'>): Window {
  let size = LEAST_PAGE;
  while (read > 0 && (read % size === 0 || size - (read % size) < LEAST_NEW)) size += 1;
  const page = Math.floor(read / size) + 1;
  return { page, size, start: (page - 1) * size };
}

/** The query for a page of the days of a cursor. */
export const queryAt = (list: List, { from, to }: Cursor, { page, size }: Window): Record<string, string> => ({
  ...list.query,
  ...{ issue_from: from, issue_to: to, sort: 'issue_date', page: String(page), per_page: String(size) },
});

/** The same days with fewer documents; undefined: they are few enough, or one day. */
export function fewerDays(cursor: Cursor, total: number): Cursor | undefined {
  const { from, to, read } = cursor;
  if (read > 0 || total <= MOST_IN_DAYS || from === to) return undefined;
  return { ...cursor, to: plusDays(from, Math.floor((daysFrom(from, to) - 1) / 2)) };
}

/** Where to read instead, because documents between the last one and this page may have moved before it; undefined: none have. */
export function movedBefore(cursor: Cursor, { rows, total }: PageOfList<{ id: string }>, { start }: Window): Cursor | undefined {
  const [first] = rows;
  if (start === 0 || (first && cursor.seen.includes(first.id))) return undefined;
  return { ...cursor, read: Math.min(start, total) };
}

/** Behind a document, which is the `index`th of its page. */
export const past = (cursor: Cursor, id: string, index: number, { start }: Window): Cursor => ({
  ...cursor,
  ...{ read: start + index + 1, seen: [...cursor.seen.slice(1 - MOST_SEEN), id] },
});

/** Where it goes on behind a page; undefined: it is through. `whole`: the days of the whole export. */
export function behind(
  cursor: Cursor,
  { rows, total }: PageOfList<unknown>,
  { start }: Window,
  { lists, whole }: { lists: number; whole: { from: string; to: string } },
): Cursor | undefined {
  const read = start + rows.length;
  if (read < total) return { ...cursor, read };
  if (cursor.to < whole.to) {
    const from = plusDays(cursor.to, 1);
    const days = 2 * daysFrom(cursor.from, cursor.to);
    const to = days >= daysFrom(from, whole.to) ? whole.to : plusDays(from, days - 1);
    return { ...startOf({ from, to }), list: cursor.list };
  }
  return cursor.list + 1 < lists ? { ...startOf(whole), list: cursor.list + 1 } : undefined;
}

const DAY_MS = 86_400_000;
/** How many days these are, both ends included. */
const daysFrom = (from: string, to: string): number => (millisOf(to) - millisOf(from)) / DAY_MS + 1;
