import type { Env } from '@svc/kernel';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Waits between attempts that got no answer, in milliseconds; the last one goes on for ever (until the adapter's deadline). */
const waits: Record<Env, readonly number[]> = {
  test: [SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND],
  live: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE],
};

/** How long to wait after the `failures`-th attempt in a row (1, 2, …) without an answer. */
export const waitAfter = (env: Env, failures: number): number => waits[env][Math.min(failures, waits[env].length) - 1] ?? 0;

/** How often an authority that answers nobody is tried. */
export const PROBE_EVERY = 30 * SECOND;
