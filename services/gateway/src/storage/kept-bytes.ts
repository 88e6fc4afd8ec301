import { compareAndSet, type Collection, type DocumentStore } from '@svc/document-store';
import type { CountedBytes } from '@svc/document-store/counted-bytes';

/** Bytes of an account's kept responses, and of its exports by their ids. `_id` is the account. */
export interface KeptBytes extends CountedBytes {
  /** Absent: none. */
  exports?: Record<string, Exported>;
}

/** What an export has stored, and when that is removed, in milliseconds since 1970. */
interface Exported {
  bytes: number;
  until: number;
}

export const keptBytesRows = (documents: DocumentStore): Collection<KeptBytes> => documents.collection<KeptBytes>('kept_bytes');

/** Replicas collide only with each other. */
const TRIES = 50;

/**
 * Says how many bytes an export has by now; 0: they are removed. What a crash loses of that is right with its next step, and gone once it would be removed. Returns
 * the row. `now`: milliseconds since 1970.
 */
export async function setExported(
  rows: Collection<KeptBytes>,
  now: number,
  { account, id, bytes, until }: Exported & { account: string; id: string },
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
