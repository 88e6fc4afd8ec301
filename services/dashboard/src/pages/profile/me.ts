import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { general } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { type Me, type Session, sessionQuery } from '../../session/session.ts';

export type User = Me['user'];

/** Changes the signed-in person, and shows what they are now. */
export function useChangeMe(): (body: Resource<'UpdateMe'>) => Promise<void> {
  const queries = useQueryClient();
  return async (body) => {
    const me = await answered(general.PATCH('/console/me', { body }));
    const session: Session = { state: 'in', me };
    queries.setQueryData(sessionQuery.queryKey, session);
  };
}
