import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { general } from '../api/consoles.ts';
import { type Saving, useSaving } from '../ui/saving.ts';
import { isNotSession, sessionQuery } from './session.ts';

/** Ends the session, and forgets what it has read. */
export function useSignOut(): Saving<undefined> {
  const queries = useQueryClient();
  return useSaving({
    run: (_: undefined) => answered(general.DELETE('/console/session')),
    done: () => {
      queries.setQueryData(sessionQuery.queryKey, { state: 'out' });
      queries.removeQueries({ predicate: isNotSession });
    },
  });
}
