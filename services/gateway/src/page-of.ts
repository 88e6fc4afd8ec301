import type { PageQuery } from '@svc/contracts/http/page';
import type { Collection, Doc, Filter } from '@svc/document-store';
import type { Turn } from '@svc/kernel';
import { PIECE } from '@svc/service';

/** The page of what matches, the highest id first, and how many match. */
export async function pageOf<D extends Doc>(
  rows: Pick<Collection<D>, 'count' | 'page' | 'read'>,
  filter: Filter,
  { page, per_page }: PageQuery,
  turn: Turn,
) {
  const total = await rows.count(filter, turn);
  const query = { sort: { _id: -1 }, skip: (page - 1) * per_page, limit: per_page, matches: total, turn } as const;
  const { docs: found, left } = await rows.page(filter, query, PIECE);
  for await (const some of rows.read(left, filter, PIECE)) found.push(...some);
  return { found, total };
}

/** The same of a list in memory, in its own order. */
export const sliceOf = <Item>(all: readonly Item[], { page, per_page }: PageQuery): Item[] =>
  all.slice((page - 1) * per_page, page * per_page);
