import { jsonBytes } from '@svc/kernel';
import { addAuditBytes, type AuditBytesRows } from '../storage/audit-bytes.ts';
import type { StoredEntry } from './store.ts';

/** Counts entries that were kept (1) or removed (-1) in what their accounts store. Nothing is refused for it: keys must be revoked whatever is stored. */
export async function countEntries(rows: AuditBytesRows, entries: readonly StoredEntry[], sign: 1 | -1): Promise<void> {
  const bytes = new Map<string, number>();
  for (const entry of entries) bytes.set(entry.account, (bytes.get(entry.account) ?? 0) + jsonBytes(entry));
  for (const [account, sum] of bytes) await addAuditBytes(rows, account, sign * sum);
}
