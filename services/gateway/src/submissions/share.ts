import { waitGoesOn } from '@svc/kernel';
import type { Standing } from '../limiter/port.ts';

/** What a job has taken of a window of the account's submissions, which is named by its end. Times are in milliseconds since 1970. */
export interface Share {
  resetAt: number;
  used: number;
  /** Until then it takes nothing; absent: it does. */
  pausedUntil?: number;
}

const WINDOW_MS = 60_000;
const halfOf = (size: number): number => Math.max(1, Math.floor(size / 2));

/**
 * When a job may submit the next one, in milliseconds since 1970: now, or later. It takes half of a window, one at least; the other half too where half of the
 * window's time is over and no other request has submitted in it. `size`: that of the window.
 */
export function nextAt({ left, resetAt }: Pick<Standing, 'left' | 'resetAt'>, size: number, share: Share, now: number): number {
  if (share.pausedUntil !== undefined && waitGoesOn(share.pausedUntil, now, 2 * WINDOW_MS)) return share.pausedUntil;
  const own = share.resetAt === resetAt ? share.used : 0;
  const hasOthers = size - left > own;
  const halfTime = resetAt - WINDOW_MS / 2;
  const half = halfOf(size);
  const most = !hasOthers && now >= halfTime ? size : half;
  if (left > 0 && own < most) return now;
  return left > 0 && !hasOthers && now < halfTime ? halfTime : resetAt;
}

/** With one more of the window that ends then. */
export const withOneMore = (share: Share, resetAt: number): Share => ({
  resetAt,
  used: (share.resetAt === resetAt ? share.used : 0) + 1,
});

/**
 * A batch that needs more than the half that a job leaves was refused in a window of which the job had some: the job leaves the next minute to others. Whoever
 * sends the batch again then begins a window with it.
 */
export function withPause(share: Share, { resetAt, refused = 0 }: Pick<Standing, 'resetAt' | 'refused'>, size: number): Share {
  const pausedUntil = resetAt + WINDOW_MS;
  const isRefusedByIt = share.resetAt === resetAt && refused > size - halfOf(size);
  return isRefusedByIt && share.pausedUntil !== pausedUntil ? { ...share, pausedUntil } : share;
}
