import type { Collection, DocumentStore } from '@svc/document-store';
import type { AuditEntry, FirstEntry } from './entry.ts';

/** until 0.3 also entries of 0.1.0, which have neither `change` nor what is filtered by. */
export type StoredEntry = AuditEntry | FirstEntry;

export const auditRows = (documents: DocumentStore): Collection<AuditEntry> =>
  documents.collection('audit', {
    indexes: [
      { fields: ['due_at'] },
      { fields: ['account', '_id'] },
      { fields: ['account', 'actor_id', '_id'] },
      { fields: ['account', 'action', '_id'] },
      { fields: ['account', 'target_id', '_id'] },
    ],
  });
