import { type Clock, sleepOn } from './clock.ts';

interface Timer {
  at: number;
  fire: () => void;
}

/** A clock that moves only by `advance`. Timers fire in the order of their times, ties in the order in which they were set. */
export class FakeClock implements Clock {
  private readonly timers = new Set<Timer>();
  readonly sleep: Clock['sleep'];

  constructor(private time: number = Date.UTC(2026, 0, 15, 12)) {
    this.sleep = sleepOn((ms, fire) => this.after(ms, fire));
  }

  now(): number {
    return this.time;
  }

  after(ms: number, fire: () => void): () => void {
    const timer = { at: this.time + Math.max(0, ms), fire };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  }

  /** When the next timer is due, or undefined when none is set. */
  nextAt(): number | undefined {
    let next: number | undefined;
    for (const { at } of this.timers) if (next === undefined || at < next) next = at;
    return next;
  }

  /** Moves the time by `ms` and fires the timers that fall due. Calls `settle` between timers, so that ready promises run. */
  async advance(ms: number, settle: () => Promise<void> = settleTurns): Promise<void> {
    const until = this.time + ms;
    await settle();
    for (let next = this.nextAt(); next !== undefined && next <= until; next = this.nextAt()) {
      this.time = Math.max(this.time, next);
      const due = [...this.timers].filter(({ at }) => at <= this.time).sort((a, b) => a.at - b.at);
      for (const timer of due) if (this.timers.delete(timer)) timer.fire(); // a timer that fires may cancel the next one
      await settle();
    }
    this.time = until;
    await settle();
  }
}

/** Runs the promises and `setImmediate` callbacks that are ready. */
export async function settleTurns(turns = 10): Promise<void> {
  for (let n = 0; n < turns; n += 1) await new Promise((resolve) => setImmediate(resolve));
}
