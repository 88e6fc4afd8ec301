import { recentlyUsed } from '@svc/kernel';

/** How many endpoints that fail are remembered. */
const KNOWN = 10_000;

/**
 * Endpoints that fail, as this process has last read or written what is stored of their health, which other processes write too. It decides how many attempts of an endpoint
 * are claimed and in flight, and nothing that is shown. One that was forgotten, or is out of date, is corrected by the next attempt, which reads the endpoint.
 */
export function createFailing() {
  const known = recentlyUsed<true>(KNOWN);
  return {
    has: (id: string): boolean => known.has(id),
    note(id: string, fails: boolean): void {
      if (fails) known.set(id, true);
      else known.delete(id);
    },
  };
}
