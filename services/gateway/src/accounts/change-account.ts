import type { Plan } from '@svc/contracts/account/vocabulary';
import { compareAndSet } from '@svc/document-store';
import { type Actor, iso, notFound } from '@svc/kernel';
import type { Account, Limits } from './account.ts';
import { audit, type AuditContext } from '../audit/audit.ts';
import type { AccountsContext } from './context.ts';

/** A missing field stays as it is. `limits` is replaced as a whole. */
export interface AccountChange {
  plan?: Plan;
  limits?: Partial<Limits> | null;
  suspended?: boolean;
}

/** Changes plan, limits or suspension. Other processes apply it within 5 s. Throws not_found. */
export async function changeAccount(
  context: AccountsContext & AuditContext,
  id: string,
  change: AccountChange,
  actor: Actor,
): Promise<Account> {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const { doc, changed } = await compareAndSet(context.store.accounts, id, {
    absent: () => {
      throw notFound('account');
    },
    change: () => (Object.keys(set).length === 0 ? undefined : { ...set, updated_at: iso(context.clock.now()) }),
  });
  if (changed) {
    context.forget();
    await audit(context, { account: id, actor, action: 'account.changed', target: id, changes: set });
  }
  return doc;
}
