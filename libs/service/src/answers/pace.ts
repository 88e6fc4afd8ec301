import type { Clock } from '@svc/kernel';

export interface PaceLimits {
  /** Total waiting time for a client before its rate counts, in milliseconds. */
  graceMs: number;
  /** Minimum rate of a client, in bytes per second. */
  leastRate: number;
}

/** Measures whether a client reads fast enough. The time in which the server makes the next piece does not count. */
export class Pace {
  private taken = 0;
  private waitedMs = 0;
  /** Start of the current wait for the client; undefined while the server makes a piece. */
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

  /** The client is ready for more. */
  asked(): void {
    this.waitedMs = this.waited();
    this.since = undefined;
  }

  /** Waiting time beyond what the bytes that the client has read allow, in milliseconds; 0 or less if it is fast enough. */
  behindMs(): number {
    const { graceMs, leastRate } = this.limits;
    return this.waited() - graceMs - (this.taken / leastRate) * 1_000;
  }

  private waited(): number {
    return this.since === undefined ? this.waitedMs : this.waitedMs + this.clock.now() - this.since;
  }
}
