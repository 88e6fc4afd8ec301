import type { Collection, Filter, Job } from '@svc/document-store';

/** Jobs that are made due at a time. */
const AT_ONCE = 1_000;

/** Makes all jobs of a filter due at `now`, in milliseconds since 1970: those that are due then are none of it. */
export async function makeAllDue(waiting: readonly Pick<Collection<Job>, 'claim'>[], filter: Filter, now: number): Promise<void> {
  for (const jobs of waiting) while ((await jobs.claim(filter, { set: { due_at: now } }, { limit: AT_ONCE })).length > 0);
}
