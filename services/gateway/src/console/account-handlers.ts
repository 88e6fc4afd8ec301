import { notFound } from '@svc/kernel';
import { changeAccount } from '../accounts/change-account.ts';
import { accountResource } from './account-resource.ts';
import type { ConsoleHandlers } from './handlers.ts';
import type { ConsoleContext } from './session-handlers.ts';
import { byOf, requireStepUp } from './session-of.ts';

export function accountHandlers(context: ConsoleContext): ConsoleHandlers<'GET /console/account' | 'PATCH /console/account'> {
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
  };
}
