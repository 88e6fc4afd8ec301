import { Denied, systemClock } from '@svc/kernel';
import type { Logger } from '../logging/logger.ts';

const LOG_AGAIN_MS = 60_000;
const MOST = 100;
const loggedAt = new Map<string, number>();

/** Logs that a server denies this process a right: one line per minute and right, however many requests need it. */
export function logDenied({ message, denial }: Denied, logger: Logger): void {
  const now = systemClock.now();
  if (now - (loggedAt.get(message) ?? -Infinity) < LOG_AGAIN_MS) return;
  if (loggedAt.size >= MOST) loggedAt.clear();
  loggedAt.set(message, now);
  logger.error(denial, message);
}

/** Logs an error: by `logDenied` if a server denies this process a right, else with its stack. */
export function logFailure(logger: Logger, error: unknown, message: string, fields: object = {}): void {
  if (error instanceof Denied) logDenied(error, logger);
  else logger.error({ err: error, ...fields }, message);
}
