import type { SettingChange } from '@svc/contracts/audit/setting-changed';
import type { Job } from '@svc/document-store';

/** One entry of the audit. `_id` is the id of the change, which sorts by time. It is inserted once and never changed. */
export interface AuditEntry extends Job {
  account: string;
  /** What is filtered by. */
  actor_id: string;
  action: string;
  target_id: string | null;
  change: SettingChange;
  /** When it is removed, in milliseconds since 1970. */
  due_at: number;
}

/** until 0.3: an entry of 0.1.0, with the new values alone. */
export interface FirstEntry {
  _id: string;
  version: number;
  account: string;
  at: string;
  actor: { type: 'api_key' | 'member' | 'system'; id: string };
  action: string;
  target: string;
  changes: Record<string, unknown>;
}
