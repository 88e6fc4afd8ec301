import { MOST_ACCOUNTS, STORED_BYTES, StoredBytesRequest, type StoredBytesResponse } from '@svc/contracts/account/stored-bytes';
import type { Collection, Doc, DocumentStore } from '@svc/document-store';
import { startExclusiveSubscription, type SubscriptionContext } from '@svc/event-store';
import { accountIn, categoryOf, type Recorded } from '@svc/kernel';
import { subscriptionWork, type BackgroundWork, type InternalRoute } from '@svc/service';

/** Bytes of the events that requests of an account have appended, in both environments. `_id` is the account, `version` 1 + the position of the last event that counts. */
export interface StoredBytes extends Doc {
  bytes: number;
}

/** Names the collection, the checkpoint and the lease. */
export const STORED = 'stored_bytes';

/** The categories of this service: others may be on the same store. */
const CATEGORIES: ReadonlySet<string> = new Set(['invoice', 'receipt', 'customer', 'product', 'sku', 'issuer', 'pattern', 'series']);

/** Under load events are collected for this long, since no request waits for a count. */
const GATHER_MS = 1_000;

export const storedBytesRows = (documents: DocumentStore): Collection<StoredBytes> => documents.collection<StoredBytes>(STORED);

/** Counts the events of the store, from its first one on, in one replica at a time. */
export const storedBytesWork = (rows: Collection<StoredBytes>, subscribing: SubscriptionContext): BackgroundWork =>
  subscriptionWork(STORED, () =>
    startExclusiveSubscription({
      ...{ ...subscribing, name: STORED, gatherMost: GATHER_MS, saveWithin: GATHER_MS },
      handle: (events) => countEvents(rows, events),
    }),
  );

/** Adds the events beyond the position of their account's row. So a repeated batch, and one that another replica has begun to count, counts once. */
async function countEvents(rows: Collection<StoredBytes>, events: readonly Recorded[]): Promise<void> {
  const byAccount = Map.groupBy(events.filter(isOfRequest), ({ stream }) => accountIn(stream));
  const known = new Map<string, StoredBytes>();
  for await (const row of rows.find({ _id: { $in: [...byAccount.keys()] } })) known.set(row._id, row);
  const puts = [...byAccount].flatMap(([account, own]) => {
    const { version = 0, bytes = 0 } = known.get(account) ?? {};
    const added = own.filter((event) => versionAt(event) > version);
    const last = added.at(-1);
    const sum = added.reduce((total, event) => total + event.bytes, bytes);
    return last ? [{ put: { _id: account, version: versionAt(last), bytes: sum } }] : [];
  });
  if (puts.length > 0) await rows.write(puts);
}

const versionAt = ({ position }: Recorded): number => Number(position) + 1;

/** What an authority, an operator or this service itself causes does not count. */
const isOfRequest = ({ stream, metadata: { actor } }: Recorded): boolean =>
  CATEGORIES.has(categoryOf(stream)) && actor !== undefined && actor.type !== 'system';

/** Reads the bytes that up to 400 accounts have stored. */
export const storedBytesOf =
  (rows: Collection<StoredBytes>) =>
  async (accounts: readonly string[]): Promise<Record<string, number>> => {
    const found: Record<string, number> = {};
    for await (const { _id, bytes } of rows.find({ _id: { $in: [...accounts] } }, { limit: MOST_ACCOUNTS })) found[_id] = bytes;
    return found;
  };

/** The same for a gateway in another process. */
export const storedBytesRoute = (rows: Collection<StoredBytes>): InternalRoute<StoredBytesRequest> => ({
  path: STORED_BYTES,
  body: StoredBytesRequest,
  answer: async ({ accounts }): Promise<StoredBytesResponse> => ({ bytes: await storedBytesOf(rows)(accounts) }),
});
