import type { Clock } from '@svc/kernel';

/** A promise that never settles, as for a caller in a killed process. */
export const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/**
 * The lifetime of one simulated process, from start to crash. Its clock shows the given clock's time plus `skew()` milliseconds. At the
 * crash its timers are cancelled, and running code stops at its next call outside. Timers run by the given clock, as those of a machine
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

  /** Settles as `work` if the process lives until then, else never. */
  async through<T>(work: Promise<T>): Promise<T> {
    try {
      const value = await work;
      return this.ended ? await never<T>() : value;
    } catch (error) {
      if (this.ended) return never();
      throw error;
    }
  }

  /** The same for a caller outside, which gets a connection error at a crash. */
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
