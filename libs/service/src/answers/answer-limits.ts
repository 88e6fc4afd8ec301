import type { PaceLimits } from './pace.ts';
import type { PermitLimits } from './permits.ts';
import type { UnreadLimits } from './unread.ts';

export interface AnswerLimits extends PermitLimits, UnreadLimits, PaceLimits {
  /** A client that reads nothing for this time is cut, after at most twice this time, in milliseconds. */
  stalledMs: number;
  /** Maximum time for sending a response, in milliseconds. */
  longestMs: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** A permit allows a list of 1 MiB in one piece or two pieces of a stream in memory, of some 128 KiB or one document each: some 2 MiB at most. */
export const usualAnswerLimits: AnswerLimits = {
  perAccount: 4,
  inAll: 32,
  waitingPerAccount: 32 * MIB,
  waitingInAll: 128 * MIB,
  waitMs: 10_000,
  unreadPerAccount: 16 * MIB,
  unreadInAll: 64 * MIB,
  graceMs: 5_000,
  leastRate: 256 * KIB,
  stalledMs: 10_000,
  longestMs: 300_000,
};
