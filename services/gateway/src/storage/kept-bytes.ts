import { compareAndSet, type Collection, type Doc, type DocumentStore } from '@svc/document-store';

/** Bytes of an account's kept responses by the hour since 1970 in which they are removed, and of its exports by their ids. `_id` is the account. */
export interface KeptBytes extends Doc {
  hours: Record<string, number>;
  /** Absent: none. */
  exports?: Record<string, Exported>;
}

/** What an export has stored, and when that is removed, in milliseconds since 1970. */
interface Exported {
  bytes: number;
  until: number;
}

export const keptBytesRows = (documents: DocumentStore): Collection<KeptBytes> => documents.collection<KeptBytes>('kept_bytes');

const HOUR_MS = 3_600_000;
/** Replicas collide only with each other. */
const TRIES = 50;

interface Added {
  account: string;
  bytes: number;
  /** When they are removed, in milliseconds since 1970. */
  until: number;
}

/**
 * Adds bytes that were just stored. Nothing is subtracted when they are removed: their hour passes. So what a crash loses of a count is right again two days later.
 * `now`: milliseconds since 1970.
 */
export async function addKept(rows: Collection<KeptBytes>, now: number, { account, bytes, until }: Added): Promise<void> {
  const hour = String(Math.ceil(until / HOUR_MS));
  await compareAndSet<KeptBytes, KeptBytes>(rows, account, {
    absent: () => ({ _id: account, version: 1, hours: { [hour]: bytes } }),
    change: ({ hours }) => ({ hours: { ...present(hours, now), [hour]: (hours[hour] ?? 0) + bytes } }),
    tries: TRIES,
  });
}

/**
 * Says how many bytes an export has by now; 0: they are removed. What a crash loses of that is right with its next step, and gone once it would be removed. Returns
 * the row. `now`: milliseconds since 1970.
 */
export async function setExported(
  rows: Collection<KeptBytes>,
  now: number,
  { account, id, bytes, until }: Added & { id: string },
): Promise<KeptBytes> {
  const withIt = (exports: Record<string, Exported>): Record<string, Exported> => {
    const others = Object.entries(exports).filter(([one, { until: end }]) => one !== id && end > now);
    return Object.fromEntries(bytes === 0 ? others : [...others, [id, { bytes, until }]]);
  };
  const { doc } = await compareAndSet<KeptBytes, KeptBytes>(rows, account, {
    absent: () => ({ _id: account, version: 1, hours: {}, exports: withIt({}) }),
    change: ({ exports = {} }) => ({ exports: withIt(exports) }),
    tries: TRIES,
  });
  return doc;
}

export const exportedIn = ({ exports = {} }: KeptBytes, now: number): number =>
  Object.values(exports).reduce((sum, { bytes, until }) => (until > now ? sum + bytes : sum), 0);

export const keptIn = ({ hours }: KeptBytes, now: number): number =>
  Object.values(present(hours, now)).reduce((sum, bytes) => sum + bytes, 0);

const present = (hours: KeptBytes['hours'], now: number): KeptBytes['hours'] =>
  Object.fromEntries(Object.entries(hours).filter(([hour]) => Number(hour) * HOUR_MS > now));
