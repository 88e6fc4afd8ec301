/** One `work` at a time. Callers during a run share the next one, since the current run may have started before what they want to see existed. */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function start(): Promise<T> {
    next = undefined;
    running = work().finally(() => (running = undefined));
    return running;
  }

  /** A failure now would repeat: the waiting callers get it too. */
  function fail(error: unknown): never {
    next = undefined;
    throw error;
  }
  return () => (running ? (next ??= running.then(start, fail)) : start());
}
