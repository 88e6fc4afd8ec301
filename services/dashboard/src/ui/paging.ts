/** Where a page of a list stands, as the interface says. */
export interface Meta {
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
}

/** The number of the page behind this one; undefined: it is the last. */
export const nextPage = ({ meta }: { meta: Meta }): number | undefined =>
  meta.current_page < meta.last_page ? meta.current_page + 1 : undefined;

/** Whether rows were taken away since its address was made: there are some, but not so many. */
export const isPastEnd = ({ current_page: page, last_page: last, total }: Meta): boolean => total > 0 && page > last;

/** The newest of a list that has the oldest first: as many as are wanted, the newest first. Reads the first page, the last, and the one before where that has too few. */
export async function newestOf<Row>(most: number, read: (page: number) => Promise<{ data: readonly Row[]; meta: Meta }>): Promise<Row[]> {
  const first = await read(1);
  const { last_page: last } = first.meta;
  const rows = last === 1 ? [...first.data] : [...(await read(last)).data];
  if (last > 1 && rows.length < most) rows.unshift(...(last === 2 ? first : await read(last - 1)).data);
  return rows.toReversed().slice(0, most);
}
