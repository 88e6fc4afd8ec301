import { answered, ApiError } from '@svc/client/console';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { general } from '../api/consoles.ts';
import { useEnvironment, type Environment } from '../api/environment.ts';
import type { Resource } from '../api/types.ts';

export type Me = Resource<'Me'>;

/** `out`: nobody is signed in. `code`: the code of the second factor is lacking. */
export type Session = { state: 'out' } | { state: 'code' } | { state: 'in'; me: Me };

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: (): Promise<Session> =>
    answered(general.GET('/console/me')).then(
      (me): Session => ({ state: 'in', me }),
      (error: unknown): Session => {
        if (error instanceof ApiError && error.code === 'invalid_session') return { state: 'out' };
        if (error instanceof ApiError && error.code === 'session_incomplete') return { state: 'code' };
        throw error;
      },
    ),
  staleTime: 60_000,
});

/** What was read by a person who is signed out, or in an account that is left. The session itself is watched: it is set, never removed. */
export const isNotSession = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => queryKey[0] !== sessionQuery.queryKey[0];

/** Who is signed in. For what is shown to them alone. */
export function useMe(): Me {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data.state !== 'in') throw new Error('nobody is signed in');
  return data.me;
}

const includes = (granted: readonly string[], wanted: string): boolean => granted.includes('*') || granted.includes(wanted);

/** Whether the member may do something in an environment, by default the one that is shown. The server judges; this decides what is offered. */
export function useCan(): (permission: string, env?: Environment) => boolean {
  const { permissions } = useMe();
  const shown = useEnvironment();
  return (permission, env = shown) => includes(permissions[env], permission);
}

/** Whether the member changes members and the account, and reads the audit. */
export const useAdministers = (): boolean => ['owner', 'admin'].includes(useMe().member.role);
