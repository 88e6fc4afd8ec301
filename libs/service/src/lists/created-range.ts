import type { Filter } from '@svc/document-store';
import { isDay, iso, plusDays, startOfDay } from '@svc/kernel';

/**
 * The filter on `created_at` for `created_from` and `created_to`, both inclusive: days, which are the whole day in `timeZone`, or timestamps as
 * they are stored.
 */
export function createdRange(
  { created_from: from, created_to: to }: { created_from?: string; created_to?: string },
  timeZone: string,
): Filter {
  const begin = (day: string) => iso(startOfDay(timeZone, day));
  const bounds = {
    ...(from === undefined ? {} : { $gte: isDay(from) ? begin(from) : from }),
    ...(to === undefined ? {} : isDay(to) ? { $lt: begin(plusDays(to, 1)) } : { $lte: to }),
  };
  return Object.keys(bounds).length === 0 ? {} : { created_at: bounds };
}
