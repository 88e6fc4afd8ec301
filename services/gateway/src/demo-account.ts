import type { Plan } from '@svc/contracts/account/vocabulary';
import type { SessionsContext } from './sessions/context.ts';
import { ensureOwner } from './members/first-owner.ts';
import { findUser } from './members/find-user.ts';
import { createKey } from './keys/create-key.ts';
import { openAccount } from './keys/open-account.ts';

export interface DemoAccount {
  account_id: string;
  test_key: string;
  live_key: string;
}

/** Creates the account "Demo" with two keys when there is no account yet; else undefined. Key values are returned once. */
export async function ensureDemoAccount(
  context: SessionsContext,
  { plan, email }: { plan: Plan; email: string },
): Promise<DemoAccount | undefined> {
  if ((await context.store.accounts.count({})) > 0) return undefined;
  const { account, testKey, liveKey } = await openAccount(context, { name: 'Demo', plan, email }, { type: 'system', id: 'first start' });
  return { account_id: account._id, test_key: testKey, live_key: liveKey };
}

/** Two more keys for the demo account, when the first start ended before it wrote their values: only hashes are stored. */
export async function moreDemoKeys(context: SessionsContext): Promise<DemoAccount> {
  const [account] = await Array.fromAsync(context.store.accounts.find({}, { limit: 1 }));
  if (!account) throw new Error('there is no demo account');
  const wanted = { account: account._id, permissions: ['*' as const], expiresAt: null };
  const actor = { type: 'system', id: 'first start' } as const;
  const test = await createKey(context, { ...wanted, env: 'test', name: 'First test key, shown' }, { actor });
  const live = await createKey(context, { ...wanted, env: 'live', name: 'First live key, shown' }, { actor });
  return { account_id: account._id, test_key: test.value, live_key: live.value };
}

/**
 * The link by which the first owner of the demo account signs in; null once an owner has a password, whatever e-mail that one has by now. Each call makes another,
 * and ends the one before. undefined: the account has no e-mail.
 */
export async function demoSignInUrl(context: SessionsContext, account: string): Promise<string | null | undefined> {
  const { email, owners = [] } = (await context.store.accounts.get(account)) ?? {};
  if (!email) return undefined;
  const user = await findUser(context, email);
  if (user && user.password !== null) return null;
  for (const owner of owners) if (await hasPassword(context, owner)) return null;
  return ensureOwner(context, { account, email }, { type: 'system', id: 'first start' });
}

async function hasPassword({ people }: SessionsContext, member: string): Promise<boolean> {
  const user = (await people.members.get(member))?.user ?? null;
  return user !== null && ((await people.users.get(user))?.password ?? null) !== null;
}
