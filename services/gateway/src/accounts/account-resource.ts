import type { AccountResource } from '@svc/contracts/account/resource';
import { PIECE } from '@svc/service';
import type { Account } from './account.ts';
import { limitsOf } from './plans.ts';
import type { AccountsContext } from './context.ts';

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

/** One page of the accounts, newest first, with their total, as `listPage` takes it. */
export async function listAccounts({ accounts }: AccountsContext['store'], page: number, perPage: number) {
  return {
    total: await accounts.count({}),
    page: await accounts.page({}, { sort: { _id: -1 }, skip: (page - 1) * perPage, limit: perPage }, PIECE),
    read: (ids: string[], bytes: number) => accounts.read(ids, {}, bytes),
    toResource: operatorsView,
  };
}

/** An account as operators see it: with email and suspension. */
export const operatorsView = (account: Account) => ({ ...accountResource(account), email: account.email, suspended: account.suspended });
