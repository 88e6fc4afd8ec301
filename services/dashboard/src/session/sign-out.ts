import { answered } from '@svc/client/console';
import { general } from '../api/consoles.ts';
import { type Saving, useSaving } from '../ui/saving.ts';
import { setSession } from './session.ts';

/** Ends the session; with it what it has read is forgotten. */
export const useSignOut = (): Saving<undefined> =>
  useSaving({
    run: (_: undefined) => answered(general.DELETE('/console/session')),
    done: () => setSession({ state: 'out', hasEnded: false }),
  });
