import { type Actor, iso, prefixed } from '@svc/kernel';
import type { Account, Limits } from '../accounts/account.ts';
import { changesOf, withChange } from '@svc/service';
import type { KeysContext } from './context.ts';
import { createKey } from './create-key.ts';
import type { Plan } from '@svc/contracts/account/vocabulary';

export interface NewAccount {
  name: string;
  plan: Plan;
  limits?: Partial<Limits> | null;
  email?: string | null;
}

export interface OpenedAccount {
  account: Account;
  /** Key values, returned once. */
  testKey: string;
  liveKey: string;
}

/** Opens an account with a test key and a live key, both with every permission. Its issuers are created with defaults when first read. */
export async function openAccount(context: KeysContext, input: NewAccount, actor: Actor): Promise<OpenedAccount> {
  const { store, clock, ids } = context;
  const id = prefixed('acct', ids.next());
  const at = iso(clock.now());
  const account: Account = {
    ...{ _id: id, version: 1, name: input.name, email: input.email ?? null, plan: input.plan, limits: input.limits ?? null },
    ...{ suspended: false, created_at: at, updated_at: at, due_at: null },
  };
  // Keys first: an account that exists has its keys, also when the process ends in between.
  const firstKey = { account: id, permissions: ['*' as const], expiresAt: null };
  const test = await createKey(context, { ...firstKey, env: 'test', name: 'First test key' }, { actor });
  const live = await createKey(context, { ...firstKey, env: 'live', name: 'First live key' }, { actor });
  const entry = { actor, type: 'account' as const, verb: 'created' as const, target: { id, name: input.name } };
  const changes = changesOf(['name', 'plan', 'limits'], undefined, account);
  await store.accounts.insert({ ...account, ...withChange(undefined, { ...entry, changes }, context) });
  return { account, testKey: test.value, liveKey: live.value };
}
