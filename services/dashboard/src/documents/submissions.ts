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
