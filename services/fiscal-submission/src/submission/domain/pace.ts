import type { Env } from '@svc/kernel';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Waits between attempts without a response, in milliseconds; the last one repeats until the authority's deadline. */
const waits: Record<Env, readonly number[]> = {
  test: [SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND],
  live: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE],
};

/** The wait after the `failures`-th attempt in a row (1, 2, …) without a response, in milliseconds. */
export const waitAfter = (env: Env, failures: number): number => waits[env][Math.min(failures, waits[env].length) - 1] ?? 0;

/** The longest that an answer can have the next sending of a chain wait, in milliseconds: what asks for more is not believed. */
export const MAX_SENDING_WAIT_MS = 60 * MINUTE;

/** How often an authority with an open circuit breaker is tried, in milliseconds. */
export const PROBE_EVERY = 30 * SECOND;
