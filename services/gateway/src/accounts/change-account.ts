import type { Plan } from '@svc/contracts/account/vocabulary';
import { compareAndSet } from '@svc/document-store';
import { changesOf, withChange } from '@svc/service';
import { type Actor, iso, notFound } from '@svc/kernel';
import type { Account, Limits } from './account.ts';
import type { AccountsContext } from './context.ts';

/** A missing field stays as it is. `limits` is replaced as a whole. */
export interface AccountChange {
  plan?: Plan;
  limits?: Partial<Limits> | null;
  suspended?: boolean;
  name?: string | undefined;
  require_totp?: boolean | undefined;
}

const AUDITED = ['name', 'plan', 'limits', 'suspended', 'require_totp'] as const;

/** Changes plan, limits or suspension. Other processes apply it within 5 s. Throws not_found. */
export async function changeAccount(
  context: AccountsContext,
  id: string,
  change: AccountChange,
  by: { actor: Actor; requestId?: string | undefined },
): Promise<Account> {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const { doc, changed } = await compareAndSet(context.store.accounts, id, {
    absent: () => {
      throw notFound('account');
    },
    change(account) {
      const changes = changesOf(AUDITED, account, { ...account, ...set });
      if (Object.keys(changes).length === 0) return undefined;
      const entry = { ...by, type: 'account' as const, verb: 'updated' as const, target: { id, name: account.name }, changes };
      return { ...set, updated_at: iso(context.clock.now()), ...withChange(account, entry, context) };
    },
  });
  if (changed) context.forget(id);
  return doc;
}
