const waiting: (() => void)[] = [];

/**
 * Resolves for one caller in each turn of the event loop, in the order in which they asked: pieces of large answers are made one at a
 * time in the whole process, and between two of them everything else goes on.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(serveOne);
  });

function serveOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(serveOne);
}
