import type { Clock } from '@svc/kernel';

/** Who waits for a process that was killed waits for ever. */
export const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/**
 * One process, from its start to its crash. Its clock is a view of the clock's, `skew()` milliseconds ahead: at the crash its timers are
 * gone, and what still runs of it comes to nothing at its next step outside. Timers run by the clock's time, as those of a machine do
 * whose wall clock is set.
 */
export class Lifetime {
  readonly clock: Clock;
  private readonly timers = new Set<() => void>();
  private readonly listeners = new Set<() => void>();
  private ended = false;

  constructor(clock: Clock, skew: () => number = () => 0) {
    const after: Clock['after'] = (ms, fire) => {
      if (this.ended) return () => undefined;
      const forget = (): void => void this.timers.delete(cancel);
      const stop = clock.after(ms, () => {
        forget();
        fire();
      });
      const cancel = (): void => {
        forget();
        stop();
      };
      this.timers.add(cancel);
      return cancel;
    };
    this.clock = { now: () => clock.now() + skew(), after, sleep: sleepOn(after) };
  }

  get over(): boolean {
    return this.ended;
  }

  end(): void {
    this.ended = true;
    for (const cancel of this.timers) cancel();
    for (const notify of this.listeners) notify();
    this.listeners.clear();
  }

  /** Calls `notify` at the crash. */
  atEnd(notify: () => void): void {
    if (this.ended) notify();
    else this.listeners.add(notify);
  }

  /** The work's outcome if the process lives to hear it, else never. */
  async through<T>(work: Promise<T>): Promise<T> {
    try {
      const value = await work;
      return this.ended ? await never<T>() : value;
    } catch (error) {
      if (this.ended) return never();
      throw error;
    }
  }

  /** The same for somebody outside, who sees the connection break. */
  connected<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const broken = (): void => reject(new Error('the connection broke'));
      if (this.ended) return broken();
      this.listeners.add(broken);
      work.then(resolve, reject).finally(() => this.listeners.delete(broken));
    });
  }
}

const sleepOn =
  (after: Clock['after']): Clock['sleep'] =>
  (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const cancel = after(ms, done);
      const stop = (): void => {
        cancel();
        done();
      };
      signal?.addEventListener('abort', stop, { once: true });
    });
