import { MOST_ACCOUNTS, STORED_BYTES, StoredBytesRequest, type StoredBytesResponse } from '@svc/contracts/account/stored-bytes';
import type { Collection, DocumentStore } from '@svc/document-store';
import { type CountedBytes, countedIn, createByteCounter } from '@svc/document-store/counted-bytes';
import type { Clock } from '@svc/kernel';
import { type BackgroundWork, type InternalRoute, type Logger, repeatedWork } from '@svc/service';
import type { Attempt, Delivery } from './delivery.ts';

/** Names the collection. */
export const STORED = 'stored_bytes';

/** What a delivery and an attempt without its texts take as JSON, with their entries in the indexes. */
const ROW = 500;
const ATTEMPT = 250;

const DAY_MS = 86_400_000;
/** With the 5 s by which the gateway asks, less than the 10 s by which a count may be late. */
const WRITTEN_EACH_MS = 2_000;

export const storedBytesRows = (documents: DocumentStore): Collection<CountedBytes> => documents.collection<CountedBytes>(STORED);

/** Where what the deliveries of accounts store is counted. */
export interface StoredBytes {
  /** New deliveries of one account or several. */
  made(rows: readonly Delivery[]): void;
  /** Its last attempt. */
  attempted(delivery: Delivery): void;
}

export interface StoredBytesOptions {
  rows: Collection<CountedBytes>;
  clock: Clock;
  logger: Logger;
  keepDays: number;
}

/** Counts the bytes of deliveries and their attempts until they are removed, by the day: an account with 20 endpoints stores each event twenty times. */
export function createStoredBytes({ rows, clock, logger, keepDays }: StoredBytesOptions): StoredBytes & { work: BackgroundWork } {
  const removedAt = (now: number): number => (Math.ceil(now / DAY_MS) + keepDays) * DAY_MS;
  const counter = createByteCounter({ rows, clock, logger, removedAt });
  return {
    made(all) {
      for (const { account } of all) counter.add(account, ROW);
    },
    attempted({ account, attempts }) {
      const last = attempts.at(-1);
      if (last) counter.add(account, attemptBytes(last));
    },
    work: repeatedWork({ name: STORED, every: WRITTEN_EACH_MS, clock, run: counter.write, last: counter.write }),
  };
}

const attemptBytes = ({ error, response_body: body }: Attempt): number => ATTEMPT + Buffer.byteLength(error ?? '') + Buffer.byteLength(body ?? '');

/** Reads the bytes that up to 400 accounts have stored here. */
export const storedBytesOf =
  (rows: Collection<CountedBytes>, clock: Pick<Clock, 'now'>) =>
  async (accounts: readonly string[]): Promise<Record<string, number>> => {
    const found: Record<string, number> = {};
    for await (const row of rows.find({ _id: { $in: [...accounts] } }, { limit: MOST_ACCOUNTS })) found[row._id] = countedIn(row, clock.now());
    return found;
  };

/** The same for a gateway in another process. */
export const storedBytesRoute = (rows: Collection<CountedBytes>, clock: Pick<Clock, 'now'>): InternalRoute<StoredBytesRequest> => ({
  path: STORED_BYTES,
  body: StoredBytesRequest,
  answer: async ({ accounts }): Promise<StoredBytesResponse> => ({ bytes: await storedBytesOf(rows, clock)(accounts) }),
});
