import type { Standing } from '../limiter/port.ts';

/** What a job has taken of a window of the account's submissions, which is named by its end in milliseconds since 1970. */
export interface Share {
  resetAt: number;
  used: number;
}

const WINDOW_MS = 60_000;

/**
 * When a job may submit the next one, in milliseconds since 1970: now, or later. It takes half of a window, one at least; the other half too where half of the
 * window's time is over and nobody else has submitted in it. `size`: that of the window.
 */
export function nextAt({ left, resetAt }: Pick<Standing, 'left' | 'resetAt'>, size: number, share: Share, now: number): number {
  const own = share.resetAt === resetAt ? share.used : 0;
  const hasOthers = size - left > own;
  const halfTime = resetAt - WINDOW_MS / 2;
  const half = Math.max(1, Math.floor(size / 2));
  const most = !hasOthers && now >= halfTime ? size : half;
  if (left > 0 && own < most) return now;
  return left > 0 && !hasOthers && now < halfTime ? halfTime : resetAt;
}

/** With one more of the window that ends then. */
export const withOneMore = (share: Share, resetAt: number): Share => ({
  resetAt,
  used: (share.resetAt === resetAt ? share.used : 0) + 1,
});
