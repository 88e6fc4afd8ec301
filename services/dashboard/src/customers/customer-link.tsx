import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useConsole } from '../api/consoles.ts';

/** A list may have many: each is read again by its own page. */
const KNOWN_MS = 60_000;

/** The way to a customer by its name; by its id until that is read, and for who sees no names. */
export function CustomerLink({ id }: { id: string }) {
  const { console, env } = useConsole();
  const { data } = useQuery({
    queryKey: [env, 'customers', id],
    queryFn: ({ signal }) => answered(console.GET('/console/v1/customers/{id}', { params: { path: { id } }, signal })),
    staleTime: KNOWN_MS,
  });
  return <Link to={`/app/customers/${id}`}>{data?.name ? <bdi>{data.name}</bdi> : <code>{id}</code>}</Link>;
}
