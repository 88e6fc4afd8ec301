import { millisOf, plusDays } from '@svc/kernel';

/** `created_from`/`created_to` (inclusive; a day or a timestamp) as a condition in milliseconds; a day is a day in UTC here, where no issuer is known. */
export function timeRange(from: string | undefined, to: string | undefined): { $gte?: number; $lt?: number; $lte?: number } | undefined {
  if (from === undefined && to === undefined) return undefined;
  return {
    ...(from === undefined ? {} : { $gte: millisOf(from) }),
    ...(to === undefined ? {} : isDay(to) ? { $lt: millisOf(`${plusDays(to, 1)}T00:00:00Z`) } : { $lte: millisOf(to) }),
  };
}

const isDay = (text: string): boolean => text.length === 10;
