import type { AccountResource } from '@svc/contracts/account/resource';
import type { Account } from './account.ts';
import { limitsOf } from './plans.ts';

/** An account as its own keys see it. `limits` are the effective ones. */
export const accountResource = (account: Account): Omit<AccountResource, 'livemode'> => ({
  id: account._id,
  object: 'account',
  name: account.name,
  plan: account.plan,
  limits: limitsOf(account.plan, account.limits),
  created_at: account.created_at,
  updated_at: account.updated_at,
});

/** An account as operators see it: with email and suspension. */
export const operatorsView = (account: Account) => ({ ...accountResource(account), email: account.email, suspended: account.suspended });
