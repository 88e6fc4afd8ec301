import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import { useCan } from '../../session/session.ts';
import type { Row } from './reports.ts';

const MOST = 100;

/** Gives rows that name a product its name: of the first hundred products, which is all of most accounts. A row of another one shows its id. */
export function useProductNames(isNeeded: boolean): (row: Row) => Row {
  const { console, env } = useConsole();
  const canRead = useCan()('products:read');
  const { data } = useQuery({
    queryKey: [env, 'products', 'names'],
    queryFn: ({ signal }) => answered(console.GET('/console/v1/products', { params: { query: { per_page: MOST, sort: 'name' } }, signal })),
    ...{ enabled: isNeeded && canRead, staleTime: 60_000 },
  });
  const names = new Map(isNeeded ? data?.data.map(({ id, name }) => [id, name]) : []);
  return (row) => {
    const name = names.get(String(row['product_id'] ?? row['key']));
    return name === undefined ? row : { ...row, product_name: name };
  };
}
