import { compareAndSet, type Collection, type Doc, type DocumentStore } from '@svc/document-store';

/** Bytes of an account's kept responses and exports by the hour since 1970 in which they are removed. `_id` is the account. */
export interface KeptBytes extends Doc {
  hours: Record<string, number>;
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

export const keptIn = ({ hours }: KeptBytes, now: number): number =>
  Object.values(present(hours, now)).reduce((sum, bytes) => sum + bytes, 0);

const present = (hours: KeptBytes['hours'], now: number): KeptBytes['hours'] =>
  Object.fromEntries(Object.entries(hours).filter(([hour]) => Number(hour) * HOUR_MS > now));
