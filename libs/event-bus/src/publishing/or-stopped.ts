/** Rejects as soon as `stopped` aborts: a group may retry until a server answers. */
export function orStopped<T>(work: Promise<T>, stopped: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(new Error('publishing stops'));
    if (stopped.aborted) stop();
    stopped.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => stopped.removeEventListener('abort', stop));
  });
}
