/** One `work` at a time. Who asks while it runs shares the next one, for what runs may have begun before what he wants to see was there. */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function start(): Promise<T> {
    next = undefined;
    running = work().finally(() => (running = undefined));
    return running;
  }

  /** What failed now would fail again: it is not waited for twice. */
  function fail(error: unknown): never {
    next = undefined;
    throw error;
  }
  return () => (running ? (next ??= running.then(start, fail)) : start());
}
