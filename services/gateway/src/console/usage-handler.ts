import type { UsedLimit } from '@svc/contracts/console/resources';
import { iso } from '@svc/kernel';
import type { Limiter, WindowName } from '../limiter/port.ts';
import type { StorageUsage } from '../storage/usage.ts';
import type { RequestCounts } from '../usage/request-counts.ts';
import type { ConsoleHandlers } from './handlers.ts';

const WINDOWS = ['plan', 'submit', 'receipts', 'reports'] as const satisfies WindowName[];

export interface UsageParts {
  limiter: Limiter;
  counts: RequestCounts;
  storage: Pick<StorageUsage, 'bytes'>;
}

export function usageHandler({ limiter, counts, storage }: UsageParts): ConsoleHandlers<'GET /console/usage'> {
  return {
    async 'GET /console/usage'({ requestContext }) {
      const principal = requestContext?.principal;
      if (!principal) throw new Error('usage is asked for without a member');
      const { scope, limits, account } = principal;
      const windows = WINDOWS.map((name) => ({ name, size: limits[name], cost: 0 }));
      const burst = { size: limits.burst, perMinute: limits.plan, cost: 0 };
      const { standings } = await limiter.take(scope, { windows, burst });
      const used = standings.map(({ name, left, resetAt }): UsedLimit => {
        const size = limits[name as keyof typeof limits];
        return { name, size, used: size - left, reset: iso(resetAt) };
      });
      const bytes = storage.bytes({ account, limits });
      return { limits: used, requests: await counts.days(scope), storage: { bytes, quota: limits.storage } };
    },
  };
}
