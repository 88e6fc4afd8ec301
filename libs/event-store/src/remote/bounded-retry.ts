import type { Clock } from '@svc/kernel';

export interface RetryOptions {
  /** Milliseconds for one try: its signal aborts after them. */
  each: number;
  inAll: number;
  clock: Clock;
  /** Errors that no repeat would mend are thrown at once. */
  isFinal: (error: Failure) => boolean;
  /** What is thrown when time is up. */
  tooLong: (last: unknown) => Error;
}

/** Whatever was thrown, with what the network says of it. */
export interface Failure {
  code?: unknown;
  type?: unknown;
}

/** Tries until it works, after each error a longer wait, but not for ever. */
export async function retryUntil<T>(work: (signal: AbortSignal) => Promise<T>, options: RetryOptions): Promise<T> {
  const { each, inAll, clock, isFinal, tooLong } = options;
  const until = clock.now() + inAll;
  for (let delay = 10; ; delay = Math.min(delay * 2, 500)) {
    const attempt = new AbortController();
    const cancel = clock.after(Math.min(each, until - clock.now()), () => attempt.abort());
    try {
      return await work(attempt.signal);
    } catch (error) {
      if (isFinal(error as Failure)) throw error;
      if (clock.now() + delay >= until) throw tooLong(error);
    } finally {
      cancel();
    }
    await clock.sleep(delay);
  }
}
