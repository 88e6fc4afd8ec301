/** Runs the work of one key one after the other, in the order in which it was added; keys do not wait for each other. */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs `work` after everything that was added for the key before, whether that failed or not. Settles as `work` does. */
  add<T>(key: string, work: () => Promise<T>): Promise<T> {
    const done = (this.last.get(key) ?? Promise.resolve()).then(work);
    const settled: Promise<void> = done.then(
      () => this.forget(key, settled),
      () => this.forget(key, settled),
    );
    this.last.set(key, settled);
    return done;
  }

  /** Resolves when nothing is waiting or under way. */
  async drain(): Promise<void> {
    while (this.last.size > 0) await Promise.all(this.last.values());
  }

  private forget(key: string, settled: Promise<unknown>): void {
    if (this.last.get(key) === settled) this.last.delete(key);
  }
}

/** Waits until every promise is settled, then throws the first error, if any. No work is left running when the caller continues. */
export async function allDone(work: Iterable<Promise<unknown>>): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
}
