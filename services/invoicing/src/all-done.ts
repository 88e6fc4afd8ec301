/** Waits for all of them, then throws what the first of those that failed threw: nothing goes on behind the caller's back. */
export async function allDone(work: Iterable<Promise<unknown>>): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
}
