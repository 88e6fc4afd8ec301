import type { Filter } from '@svc/document-store';
import type { Order } from '../postings/block.ts';

/** From one position on (inclusive) to another (exclusive; null: to the end), as `positionOf` writes them; a day alone stands before its postings. */
export interface Range {
  from: string;
  to: string | null;
}

/** Filters of the postings of a range, each for the next part of it: a filter has one day, or whole days. */
export function filtersOf(order: Order, { from, to }: Range): Filter[] {
  const first = partsOf(from);
  if (to === null) return begun(order, first, {});
  const last = partsOf(to);
  if (to.endsWith('~')) return begun(order, first, { $lte: last.day });
  if (last.id === '') return begun(order, first, { $lt: last.day });
  if (first.day === last.day) return [{ [order]: first.day, _id: { $gte: first.id, $lt: last.id } }];
  return [...begun(order, first, { $lt: last.day }), { [order]: last.day, _id: { $lt: last.id } }];
}

function begun(order: Order, { day, id }: { day: string; id: string }, end: { $lt?: string; $lte?: string }): Filter[] {
  if (id === '') return [{ [order]: { $gte: day, ...end } }];
  const rest = { [order]: day, _id: { $gte: id } };
  return end.$lte === day ? [rest] : [rest, { [order]: { $gt: day, ...end } }];
}

const DAY = 10;
const partsOf = (position: string): { day: string; id: string } => ({ day: position.slice(0, DAY), id: position.slice(DAY + 1) });

/** The part of a range that is inside another. */
export function within(range: Range, { from, to }: Range): Range | undefined {
  const part = { from: range.from > from ? range.from : from, to: earlier(range.to, to) };
  return part.to === null || part.from < part.to ? part : undefined;
}

const earlier = (a: string | null, b: string | null): string | null => (a === null ? b : b === null || a < b ? a : b);
