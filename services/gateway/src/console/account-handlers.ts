import { notFound, iso } from '@svc/kernel';
import { changeAccount } from '../accounts/change-account.ts';
import { accountResource } from './account-resource.ts';
import type { ConsoleContext, ConsoleHandlers } from './handlers.ts';
import { byOf, requireStepUp } from './session-of.ts';
import type { UsedLimit } from '@svc/contracts/console/resources';
import type { Limiter, WindowName } from '../limiter/port.ts';
import type { StorageUsage } from '../storage/usage.ts';
import type { RequestCounts } from '../usage/request-counts.ts';

export function accountHandlers(context: ConsoleContext) {
  return {
    async 'GET /console/account'({ identity }) {
      const account = await context.store.accounts.get(identity.account);
      if (!account) throw notFound('account');
      return accountResource(account);
    },
    async 'PATCH /console/account'(request) {
      const { name, require_totp } = request.body;
      if (require_totp !== undefined) await requireStepUp(context, request);
      const { actor, requestId } = byOf(request);
      return accountResource(await changeAccount(context, request.identity.account, { name, require_totp }, { actor, requestId }));
    },
  } satisfies Partial<ConsoleHandlers>;
}

const WINDOWS = ['plan', 'submit', 'receipts', 'reports'] as const satisfies WindowName[];

export interface UsageParts {
  limiter: Limiter;
  counts: RequestCounts;
  storage: Pick<StorageUsage, 'bytes'>;
}

export function usageHandler({ limiter, counts, storage }: UsageParts) {
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
  } satisfies Partial<ConsoleHandlers>;
}
