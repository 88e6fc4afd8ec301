import type { Filter } from '@svc/document-store';
import { firstUidAt, isDay, millisOf } from '@svc/kernel';

const DAY_MS = 86_400_000;
const startOf = (text: string): number => millisOf(isDay(text) ? `${text}T00:00:00.000Z` : text);

/** A filter by the time in ids, such as `req_…` with the prefix `req_`. `from` and `to` are days in UTC, or times; both are inclusive. */
export function madeBetween({ from, to }: { from?: string | undefined; to?: string | undefined }, prefix = ''): Filter {
  if (from === undefined && to === undefined) return {};
  return {
    _id: {
      ...(from !== undefined && { $gte: prefix + firstUidAt(startOf(from)) }),
      ...(to !== undefined && { $lt: prefix + firstUidAt(startOf(to) + (isDay(to) ? DAY_MS : 1)) }),
    },
  };
}
