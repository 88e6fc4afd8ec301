import { compareAndSet, type Collection, type Doc, type DocumentStore } from '@svc/document-store';

/** Bytes of an account's entries in the audit, and of unfinished forms of its members. `_id` is the account. */
interface AuditBytes extends Doc {
  bytes: number;
}

export type AuditBytesRows = Collection<AuditBytes>;

export const auditBytesRows = (documents: DocumentStore): AuditBytesRows => documents.collection<AuditBytes>('audit_bytes');

/** Replicas collide only with each other. */
const TRIES = 50;

/** Adds the bytes of entries and forms that were just kept, or takes away those of what was removed. A crash between that and this leaves a count that differs by those. */
export async function addAuditBytes(rows: AuditBytesRows, account: string, bytes: number): Promise<void> {
  await compareAndSet<AuditBytes, AuditBytes>(rows, account, {
    absent: () => ({ _id: account, version: 1, bytes: Math.max(0, bytes) }),
    change: (now) => ({ bytes: Math.max(0, now.bytes + bytes) }),
    tries: TRIES,
  });
}
