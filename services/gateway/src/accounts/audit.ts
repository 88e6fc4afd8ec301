import type { Collection, Doc } from '@svc/document-store';
import { iso, type Actor, type Clock, type Ids } from '@svc/kernel';

export type AuditAction =
  'account.created' | 'account.changed' | 'api_key.created' | 'api_key.changed' | 'api_key.rotated' | 'api_key.revoked';

/** One line of the audit: only ever inserted. Never holds a key's value. */
export interface AuditEntry extends Doc {
  account: string;
  at: string;
  actor: Actor;
  action: AuditAction;
  /** Id of what was acted on. */
  target: string;
  /** What changed, to what. */
  changes: Record<string, unknown>;
}

export type Audited = Pick<AuditEntry, 'account' | 'actor' | 'action' | 'target' | 'changes'>;

interface AuditContext {
  store: { audit: Collection<AuditEntry> };
  clock: Clock;
  ids: Ids;
}

/** Writes one line, after the change that it tells of. */
export async function audit({ store, clock, ids }: AuditContext, entry: Audited): Promise<void> {
  await store.audit.insert({ _id: ids.next(), version: 1, at: iso(clock.now()), ...entry });
}
