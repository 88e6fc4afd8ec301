/** Waits until every promise is settled, then throws the first error, if any. No work is left running when the caller continues. */
export async function allDone(work: Iterable<Promise<unknown>>): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
}
