/** Starts the jobs of this process at once, where one was begun here. */
export interface Waker {
  wake(): void;
  /** From now on this queue is woken. */
  watch(queue: { wake(): void }): void;
}

export function createWaker(): Waker {
  let queue: { wake(): void } | undefined;
  return {
    wake: () => queue?.wake(),
    watch(started) {
      queue = started;
    },
  };
}
