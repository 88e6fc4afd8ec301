import { millisOf, plusDays } from '@svc/kernel';

/**
 * `created_from`/`created_to` (inclusive; a day or a timestamp) as a condition in milliseconds. A day is a UTC day, because no issuer's
 * time zone is known here.
 */
export function timeRange(from: string | undefined, to: string | undefined): { $gte?: number; $lt?: number; $lte?: number } | undefined {
  if (from === undefined && to === undefined) return undefined;
  return {
    ...(from === undefined ? {} : { $gte: millisOf(from) }),
    ...(to === undefined ? {} : isDay(to) ? { $lt: millisOf(`${plusDays(to, 1)}T00:00:00Z`) } : { $lte: millisOf(to) }),
  };
}

const isDay = (text: string): boolean => text.length === 10;
