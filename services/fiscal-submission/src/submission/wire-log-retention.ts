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

/** By which the bytes of an account are counted: few periods in ten years. */
const PERIOD_MS = 30 * DAY_MS;

/** When an entry that is kept now is removed, in periods of 30 days; both in milliseconds since 1970. Records in events count as long. */
export const wireLogRemovedAt =
  (keepDays: number) =>
  (now: number): number =>
    Math.ceil((now + keepDays * DAY_MS) / PERIOD_MS) * PERIOD_MS;
