/** A clock that is asked for the present time. */
export interface Said {
  /** What its clock says less what this process's monotonic clock says, in milliseconds: it stays so until a clock is set. */
  offsetMs: number;
  /** When it answered, by the monotonic clock. */
  at: number;
}

/** `wallMs`, `at`: what the machine's clock and the monotonic one say now. */
export interface Now {
  wallMs: number;
  at: number;
}

/** An answer says nothing about the present after this. */
const VALID_MS = 60 * 60_000;
/** An issue date that is wrong by so much at midnight is one of another day, for so long. */
const MOST_AHEAD_MS = 10 * 60_000;

/** By how much the machine's clock is ahead of the other, in milliseconds; negative: behind. */
export const aheadOf = ({ offsetMs }: Said, { wallMs, at }: Now): number => wallMs - at - offsetMs;

/** The answers that still say something. */
export const validAt = (said: Iterable<Said>, now: Now): Said[] => [...said].filter(({ at }) => now.at - at <= VALID_MS);

/**
 * By how much the machine's clock is ahead, in milliseconds, where every witness says that it is more than ten minutes ahead: the least that one says.
 * undefined: at least one says that it is not, or no witness has answered.
 */
export function surelyAhead(said: Iterable<Said>, now: Now): number | undefined {
  const least = Math.min(...validAt(said, now).map((one) => aheadOf(one, now)));
  return least > MOST_AHEAD_MS && least !== Infinity ? least : undefined;
}
