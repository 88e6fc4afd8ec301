import { answered } from '@svc/client/console';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import { useCan } from '../../session/session.ts';
import { type Row, textOf } from './reports.ts';

const MOST = 100;
const KNOWN_MS = 60_000;
const idOf = (row: Row): string | null => textOf(row, 'product_id') ?? textOf(row, 'key');

/**
 * The rows of a report about products with their names: of the first hundred products by one request, which is all of most accounts; others, and those that were deleted,
 * are read one by one.
 */
export function useProductNames(rows: readonly Row[] | undefined, isNeeded: boolean): readonly Row[] | undefined {
  const { console, env } = useConsole();
  const canRead = useCan()('products:read');
  const { data: first } = useQuery({
    queryKey: [env, 'products', 'names'],
    queryFn: ({ signal }) => answered(console.GET('/console/v1/products', { params: { query: { per_page: MOST, sort: 'name' } }, signal })),
    ...{ enabled: isNeeded && canRead, staleTime: KNOWN_MS },
  });
  const names = new Map(isNeeded ? first?.data.map(({ id, name }) => [id, name]) : []);
  const others = new Set(first && isNeeded ? rows?.map(idOf).filter((id) => id?.startsWith('prod_') && !names.has(id)) : []);
  const read = useQueries({
    queries: [...others].map((id) => ({
      queryKey: [env, 'products', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        answered(console.GET('/console/v1/products/{id}', { params: { path: { id: id ?? '' } }, signal })),
      staleTime: KNOWN_MS,
    })),
  });
  for (const { data } of read) if (data) names.set(data.id, data.name);
  return rows?.map((row) => {
    const name = names.get(idOf(row) ?? '');
    return name === undefined ? row : { ...row, product_name: name };
  });
}
