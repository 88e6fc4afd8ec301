// What a clock that was ahead has written is judged by the one that was set back. All times are milliseconds since 1970.

/** By so much the clock of the process that wrote a wait may be ahead of the one that reads it. */
const AHEAD_MS = 60_000;

/**
 * Whether a wait goes on that is to end at `until` and is never longer than `most`. One that ends later than the clocks of two processes explain was written by a clock that
 * was ahead, and was set back since: it is over.
 */
export const waitGoesOn = (until: number, now: number, most: number): boolean => until > now && until <= now + most + AHEAD_MS;

/** Whether what this process has read at `at` is younger than `most`. What it read by a clock that was set back since is as old as anything. */
export const isFresh = (at: number, now: number, most: number): boolean => at <= now && now < at + most;
