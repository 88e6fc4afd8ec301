import type { AccountResource } from '@svc/contracts/account/resource';
import type { Account } from './account.ts';
import { limitsOf } from './plans.ts';

/** What its own keys are shown of an account. `limits` are those that hold for it. */
export const accountResource = (account: Account): Omit<AccountResource, 'livemode'> => ({
  id: account._id,
  object: 'account',
  name: account.name,
  plan: account.plan,
  limits: limitsOf(account.plan, account.limits),
  created_at: account.created_at,
  updated_at: account.updated_at,
});

/** What operators are shown besides. */
export const operatorsView = (account: Account) => ({ ...accountResource(account), email: account.email, suspended: account.suspended });
