import { useAdministers, useCan } from '../session/session.ts';

/** Whether the member has what an entry or a page needs, in the environment that is shown. */
export function useHas(): (needs: string | undefined) => boolean {
  const can = useCan();
  const administers = useAdministers();
  return (needs) => needs === undefined || (needs === 'administrators' ? administers : can(needs));
}
