import type { Plan } from '@svc/contracts/http/vocabulary';
import type { AccountsContext } from './accounts/context.ts';
import { openAccount } from './accounts/open-account.ts';

export interface DemoAccount {
  account_id: string;
  test_key: string;
  live_key: string;
}

/** At the first start, when there is no account yet: account "Demo" with its two keys, shown this once. Later: undefined. */
export async function ensureDemoAccount(
  context: AccountsContext,
  { plan, email }: { plan: Plan; email: string },
): Promise<DemoAccount | undefined> {
  if ((await context.store.accounts.count({})) > 0) return undefined;
  const { account, testKey, liveKey } = await openAccount(context, { name: 'Demo', plan, email }, { type: 'system', id: 'first start' });
  return { account_id: account._id, test_key: testKey, live_key: liveKey };
}
