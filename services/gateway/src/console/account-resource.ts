import type { ConsoleAccount } from '@svc/contracts/console/resources';
import type { Account } from '../accounts/account.ts';
import { limitsOf } from '../accounts/plans.ts';

/** An account as its members see it. */
export const accountResource = (account: Account): ConsoleAccount => ({
  id: account._id,
  object: 'account',
  name: account.name,
  plan: account.plan,
  limits: limitsOf(account.plan, account.limits),
  require_totp: account.require_totp === true,
  suspended: account.suspended,
  created_at: account.created_at,
  updated_at: account.updated_at,
});
