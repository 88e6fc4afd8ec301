import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../api/consoles.ts';
import { whileMoving } from './jobs.ts';

export const submissionsAddress = '/app/submissions';
export const submissionsKey = (env: string): readonly string[] => [env, 'submissions'];

/** The submissions of many invoices, the newest first. They go on whether a page shows them or not. */
export function useSubmissions(page: number) {
  const { console, env } = useConsole();
  return useQuery({
    queryKey: [...submissionsKey(env), 'list', page],
    queryFn: ({ signal }) => answered(console.GET('/console/submissions', { params: { query: { page } }, signal })),
    refetchInterval: whileMoving,
  });
}

/** The invoices of a submission that were refused, which lists do not name. `count`: how many there are by now. */
export function useRefused(id: string, count: number) {
  const { console, env } = useConsole();
  return useQuery({
    queryKey: [...submissionsKey(env), 'refused', id, count],
    queryFn: ({ signal }) => answered(console.GET('/console/submissions/{id}', { params: { path: { id } }, signal })),
    enabled: count > 0,
    select: ({ failed }) => failed,
  });
}
