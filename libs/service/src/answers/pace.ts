import type { Clock } from '@svc/kernel';

export interface PaceLimits {
  /** So long a reader may be waited for in all before its rate counts, in milliseconds. */
  graceMs: number;
  /** Bytes a second that a reader takes at least. */
  leastRate: number;
}

/** How a reader keeps up with what is handed to it. The time in which more is made for it does not count. */
export class Pace {
  private taken = 0;
  private waitedMs = 0;
  /** Since when the reader is waited for. */
  private since: number | undefined;

  constructor(
    private readonly limits: PaceLimits,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  handed(bytes: number): void {
    this.asked();
    this.taken += bytes;
    this.since = this.clock.now();
  }

  /** The reader asks for more. */
  asked(): void {
    this.waitedMs = this.waited();
    this.since = undefined;
  }

  /** How much longer the reader was waited for than what it took allows, in milliseconds; 0 or less where it keeps up. */
  behindMs(): number {
    const { graceMs, leastRate } = this.limits;
    return this.waited() - graceMs - (this.taken / leastRate) * 1_000;
  }

  private waited(): number {
    return this.since === undefined ? this.waitedMs : this.waitedMs + this.clock.now() - this.since;
  }
}
