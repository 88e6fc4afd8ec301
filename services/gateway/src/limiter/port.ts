import type { BackgroundWork } from '@svc/service';

/** What can be counted in a window. */
export type WindowName = 'plan' | 'submit' | 'receipts' | 'reports' | 'ip';

export interface WindowCharge {
  name: WindowName;
  /** Most that one window of 60 s admits. */
  size: number;
  /** How much this request counts; 0 only looks. */
  cost: number;
}

export interface BurstCharge {
  /** Tokens of a full bucket. */
  size: number;
  /** Tokens that come back in a minute. */
  perMinute: number;
  cost: number;
}

/** All limits that count one request. All must have room, else none is charged. */
export interface Charge {
  /** At least one. */
  windows: readonly WindowCharge[];
  burst?: BurstCharge;
}

/** How one limit stands after the request. */
export interface Standing {
  name: WindowName | 'burst';
  left: number;
  /** Milliseconds since 1970 when it is whole again. */
  resetAt: number;
}

export interface LimitResult {
  admitted: boolean;
  /** In the order of the charge's windows, then burst. */
  standings: readonly Standing[];
  /** Size of the window that the caller is shown: of those that count, the one with the fewest left; refused: the one that refused. */
  limit: number;
  remaining: number;
  /** When the shown window ends; refused: when a repeat may pass. Milliseconds since 1970. */
  resetAt: number;
}

/** Counts requests exactly: over everything that shares a `scope`, in every process that shares the limiter. */
export interface Limiter {
  take(scope: string, charge: Charge): LimitResult | Promise<LimitResult>;
  /** Removes what is idle from the database, for a limiter that has one. */
  removal?: BackgroundWork;
}
