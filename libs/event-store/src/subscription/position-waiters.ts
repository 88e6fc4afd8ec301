import type { Clock, Position } from '@svc/kernel';

interface Waiter {
  for: Position;
  done(reached: boolean): void;
}

/** Callers that wait until a position is reached. */
export function positionWaiters(clock: Clock) {
  let at: Position = 0n;
  const waiting = new Set<Waiter>();
  let hurry: (() => void) | undefined;

  return {
    position: (): Position => at,

    /** Never decreases. */
    advance(position: Position): void {
      if (position > at) at = position;
      for (const waiter of waiting) if (waiter.for <= at) waiter.done(true);
    },

    waitFor(position: Position, withinMs: number): Promise<boolean> {
      if (position <= at) return Promise.resolve(true);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          for: position,
          done(reached) {
            waiting.delete(waiter);
            cancel();
            resolve(reached);
          },
        };
        const cancel = clock.after(withinMs, () => waiter.done(false));
        waiting.add(waiter);
        hurry?.();
      });
    },

    /** Resolves after `ms`, or as soon as a caller waits or the signal aborts. */
    quiet(ms: number, signal: AbortSignal): Promise<void> {
      if (waiting.size > 0 || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          hurry = undefined;
          cancel();
          signal.removeEventListener('abort', done);
          resolve();
        };
        const cancel = clock.after(ms, done);
        signal.addEventListener('abort', done, { once: true });
        hurry = done;
      });
    },
  };
}
