import {
  MOST_ACCOUNTS,
  STORED_BYTES,
  type StoredBytes,
  StoredBytesRequest,
  type StoredBytesResponse,
} from '@svc/contracts/account/stored-bytes';
import type { Collection, DocumentStore } from '@svc/document-store';
import { type CountedBytes, countedIn, createByteCounter } from '@svc/document-store/counted-bytes';
import type { Clock } from '@svc/kernel';
import type { BackgroundWork } from '../background/background.ts';
import { repeatedWork } from '../background/work.ts';
import type { InternalRoute } from '../identity/internal-routes.ts';
import type { Logger } from '../logging/logger.ts';

const NAME = 'stored_bytes';

/** With the 5 s by which the gateway asks, less than the 10 s by which a count may be late. */
const WRITTEN_EACH_MS = 2_000;

const rowsIn = (documents: DocumentStore): Collection<CountedBytes> => documents.collection<CountedBytes>(NAME);

export interface StoredBytesOptions {
  /** The service's own database. */
  documents: DocumentStore;
  clock: Clock;
  logger: Logger;
  /** When bytes that are stored now are removed, both in milliseconds since 1970. */
  removedAt: (now: number) => number;
}

/** Where a service counts what it stores for accounts besides their events. */
export interface StoredBytesCount {
  /** In bytes of UTF-8, estimated or measured. */
  add(account: string, bytes: number): void;
}

/** The count, and the work that stores it. */
export function createStoredBytes({ documents, ...options }: StoredBytesOptions): StoredBytesCount & { work: BackgroundWork } {
  const { add, write } = createByteCounter({ ...options, rows: rowsIn(documents) });
  return { add, work: repeatedWork({ name: NAME, every: WRITTEN_EACH_MS, clock: options.clock, run: write, last: write }) };
}

/** Reads what was counted so. */
export function storedBytesIn(documents: DocumentStore, clock: Pick<Clock, 'now'>): StoredBytes {
  const rows = rowsIn(documents);
  return async (accounts) => {
    const found: Record<string, number> = {};
    for await (const row of rows.find({ _id: { $in: [...accounts] } }, { limit: MOST_ACCOUNTS }))
      found[row._id] = countedIn(row, clock.now());
    return found;
  };
}

/** Answers a gateway in another process. */
export const storedBytesRoute = (of: StoredBytes): InternalRoute<StoredBytesRequest> => ({
  path: STORED_BYTES,
  body: StoredBytesRequest,
  answer: async ({ accounts }): Promise<StoredBytesResponse> => ({ bytes: await of(accounts) }),
});
