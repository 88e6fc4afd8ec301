import type { Collection, Retention } from '@svc/document-store';
import { firstUidAt, toUuid } from '@svc/kernel';
import type { WireEntry } from './wire-log.ts';

/** The bytes of submissions are evidence: laws ask for it for ten years at most. */
export const WIRE_LOG_KEPT_DAYS = 3_650;
const DAY_MS = 86_400_000;
const UID_LENGTH = 26;

/** Entries go by the time in their message ids, which are UUIDv7. */
export const wireLogRetention = (collection: Collection<WireEntry>, keepDays: number): Retention<WireEntry> => ({
  ...{ name: 'wire_log', collection, field: '_id' },
  keptFrom: (now) => toUuid(firstUidAt(Math.max(0, now - keepDays * DAY_MS)).padEnd(UID_LENGTH, '0')),
});
