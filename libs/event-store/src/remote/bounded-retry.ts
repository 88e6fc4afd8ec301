import type { Clock } from '@svc/kernel';

export interface RetryOptions {
  /** Milliseconds for one try: then its signal aborts. */
  each: number;
  inAll: number;
  clock: Clock;
  /** Errors that a repeat would not resolve are thrown at once. */
  isFinal: (error: Failure) => boolean;
  /** The error when time is up. */
  tooLong: (last: unknown) => Error;
}

/** Any thrown value, with the network's error code. */
export interface Failure {
  code?: unknown;
  type?: unknown;
}

/** Retries after growing delays, up to a time limit. */
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
