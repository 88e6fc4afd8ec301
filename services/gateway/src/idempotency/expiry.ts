import type { Collection, Retention } from '@svc/document-store';
import { IDEMPOTENCY_KEYS, type IdempotencyRow } from './row.ts';

/** Keys go when they expire. One under which a request runs stays until its lease has ended; a request that takes one over meanwhile changes its version, and keeps it. */
export const expiredKeys = (rows: Collection<IdempotencyRow>): Retention<IdempotencyRow> => ({
  ...{ name: IDEMPOTENCY_KEYS, collection: rows, field: 'due_at' },
  keptFrom: (now) => now,
  removable: (due, now) => due.filter(({ until }) => until <= now),
});
