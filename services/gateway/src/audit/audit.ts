import type { Collection, Doc } from '@svc/document-store';
import { iso, type Actor, type Clock, type Ids } from '@svc/kernel';

export type AuditAction =
  'account.created' | 'account.changed' | 'api_key.created' | 'api_key.changed' | 'api_key.rotated' | 'api_key.revoked';

/** One entry of the audit log. It is inserted and never changed. It never holds a key's value. */
export interface AuditEntry extends Doc {
  account: string;
  at: string;
  actor: Actor;
  action: AuditAction;
  /** Id of the account or key that was changed. */
  target: string;
  /** Changed fields with their new values. */
  changes: Record<string, unknown>;
}

export type Audited = Pick<AuditEntry, 'account' | 'actor' | 'action' | 'target' | 'changes'>;

export interface AuditContext {
  store: { audit: Collection<AuditEntry> };
  clock: Clock;
  ids: Ids;
}

/** Inserts an entry. Callers do so after the change itself. */
export async function audit({ store, clock, ids }: AuditContext, entry: Audited): Promise<void> {
  await store.audit.insert({ _id: ids.next(), version: 1, at: iso(clock.now()), ...entry });
}
