import type { BackgroundWork } from '@svc/service';

/** Limits that are counted in windows. */
export type WindowName = 'plan' | 'submit' | 'receipts' | 'reports' | 'member' | 'ip' | 'sign_in';

export interface WindowCharge {
  name: WindowName;
  /** Maximum in a window of 60 s. */
  size: number;
  /** Cost of this request; 0 only reads the counter; below 0 gives back what was charged in the same window. */
  cost: number;
}

export interface BurstCharge {
  /** Tokens of a full bucket. */
  size: number;
  /** Tokens added per minute. */
  perMinute: number;
  cost: number;
}

/** All limits of one request. When one has no capacity, none is charged. */
export interface Charge {
  /** At least one. */
  windows: readonly WindowCharge[];
  burst?: BurstCharge;
}

/** What one kind of request costs, with its RateLimit-Policy header. */
export interface RateLimitCost {
  charge: Charge;
  /** RateLimit-Policy. */
  policy: string;
}

/** State of one limit after the request. */
export interface Standing {
  name: WindowName | 'burst';
  left: number;
  /** When it is fully available again, in milliseconds since 1970. */
  resetAt: number;
  /** The highest cost that this window has refused; absent: it has refused none. */
  refused?: number;
}

export interface LimitResult {
  admitted: boolean;
  /** The limits without capacity for it, in the order of the charge, burst last; none where it is admitted. */
  exceeded: readonly Standing['name'][];
  /** In the order of the charge's windows, burst last. */
  standings: readonly Standing[];
  /** Size of the window that the headers show: the one with the fewest left, or the one that rejected the request. */
  limit: number;
  remaining: number;
  /** When the shown window ends; after a rejection: when a repeat may pass. Milliseconds since 1970. */
  resetAt: number;
}

/** Counts the requests of each `scope` exactly, over all processes that share the limiter. */
export interface Limiter {
  take(scope: string, charge: Charge): LimitResult | Promise<LimitResult>;
  /** Removes idle counters from the database, if the limiter has one. */
  removal?: BackgroundWork;
}
