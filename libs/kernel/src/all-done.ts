/** Waits for all of them, then throws the first error: nothing is left running when the caller goes on. */
export async function allDone(work: Iterable<Promise<unknown>>): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
}
