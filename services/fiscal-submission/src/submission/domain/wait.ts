/**
 * Whether a wait goes on that is to end at `until` and is never longer than `most`. One that ends later than that was written by a clock that was ahead, and was set back
 * since: it is over. Times are milliseconds since 1970.
 */
export const waitGoesOn = (until: number, now: number, most: number): boolean => until > now && until <= now + most;
