import type { PageQuery } from '@svc/contracts/http/page';
import type { Collection, Doc, Filter } from '@svc/document-store';

/** The page of what matches, the highest id first, and how many match. */
export async function pageOf<D extends Doc>(rows: Pick<Collection<D>, 'find' | 'count'>, filter: Filter, { page, per_page }: PageQuery) {
  const found = await Array.fromAsync(rows.find(filter, { sort: { _id: -1 }, skip: (page - 1) * per_page, limit: per_page }));
  return { found, total: await rows.count(filter) };
}

/** The same of a list in memory, in its own order. */
export const sliceOf = <Item>(all: readonly Item[], { page, per_page }: PageQuery): Item[] =>
  all.slice((page - 1) * per_page, page * per_page);
