import { answered, ApiError } from '@svc/client/console';
import { QueryClient, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { general } from '../api/consoles.ts';
import { useEnvironment, type Environment } from '../api/environment.ts';
import { whenSessionChanges } from '../api/send.ts';
import { shown } from '../api/shown.ts';
import type { Resource } from '../api/types.ts';

export type Me = Resource<'Me'>;

/** `out`: no member is signed in; `hasEnded`: a session that this page had has ended by itself. `code`: the code of the second factor is lacking. */
export type Session = { state: 'out'; hasEnded: boolean } | { state: 'code' } | { state: 'in'; me: Me };

const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: (): Promise<Session> =>
    answered(general.GET('/console/me')).then(
      (me): Session => ({ state: 'in', me }),
      (error: unknown): Session => {
        if (error instanceof ApiError && error.code === 'invalid_session') return { state: 'out', hasEnded: hadSession() };
        if (error instanceof ApiError && error.code === 'session_incomplete') return { state: 'code' };
        throw error;
      },
    ),
  // Another page of this browser may have signed out, signed in or chosen an account; and it ends by itself.
  ...{ staleTime: 60_000, refetchInterval: 60_000, refetchOnWindowFocus: 'always' as const },
});

/** Whether what was known before was a session, or one that has ended. */
function hadSession(): boolean {
  const before = sessions.getQueryData<Session>(sessionQuery.queryKey);
  return before?.state === 'in' || (before?.state === 'out' && before.hasEnded);
}

/** The session alone. What a member reads is in a cache of its own, which ends with what is shown of them. */
export const sessions = new QueryClient();
sessions.getQueryCache().subscribe(({ query }) => {
  const session = query.state.data as Session | undefined;
  if (session) shown.set(session.state === 'in' ? { session: session.me.session_id, member: session.me.member.id } : undefined);
});
whenSessionChanges(() => void refreshSession());

export const useSession = () => useQuery(sessionQuery, sessions);
/** Reads who is signed in once more. */
export const refreshSession = (): Promise<void> => sessions.invalidateQueries(sessionQuery);
/** What an answer says of the session. A read that is under way is of what it was before. */
export function setSession(session: Session): void {
  void sessions.cancelQueries(sessionQuery);
  sessions.setQueryData(sessionQuery.queryKey, session);
}

/** Who is signed in. For what is shown to them alone. */
export function useMe(): Me {
  const { data } = useSuspenseQuery(sessionQuery, sessions);
  if (data.state !== 'in') throw new Error('nobody is signed in');
  return data.me;
}

const includes = (granted: readonly string[], wanted: string): boolean => granted.includes('*') || granted.includes(wanted);

/** Whether the member may do something in an environment, by default the one that is shown. The server judges; this decides what is offered. */
export function useCan(): (permission: string, env?: Environment) => boolean {
  const { permissions } = useMe();
  const env = useEnvironment();
  return (permission, of = env) => includes(permissions[of], permission);
}

/** Whether the member sees personal data in the environment that is shown; without it there is no paper, no file and no export. */
export function useSeesPersonalData(): boolean {
  const { personal_data: sees } = useMe();
  return sees[useEnvironment()];
}

/** Whether the member changes members and the account, and reads the audit. */
export const useAdministers = (): boolean => ['owner', 'admin'].includes(useMe().member.role);
