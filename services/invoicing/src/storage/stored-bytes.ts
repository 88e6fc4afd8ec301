import { MOST_ACCOUNTS, type StoredBytes as StoredBytesOfAccounts } from '@svc/contracts/account/stored-bytes';
import type { Collection, Doc, DocumentStore } from '@svc/document-store';
import { startExclusiveSubscription, type SubscriptionContext } from '@svc/event-store';
import { accountIn, categoryOf, type Recorded } from '@svc/kernel';
import { subscriptionWork, type BackgroundWork } from '@svc/service';

/** Bytes of the events that requests of an account have appended, in both environments. `_id` is the account, `version` 1 + the position of the last event that counts. */
export interface StoredBytes extends Doc {
  bytes: number;
}

/** Names the collection, the checkpoint and the lease. */
export const STORED = 'stored_bytes';

/** The categories of this service: others may be on the same store. */
const CATEGORIES: ReadonlySet<string> = new Set(['invoice', 'receipt', 'customer', 'product', 'sku', 'issuer', 'pattern', 'series']);

/** Sums are stored so often, since no request waits for them. */
const STORED_EACH_MS = 1_000;
/** Events of which a sum may wait to be stored: some 100 bytes each. */
const MOST_WAITING = 10_000;
/** Accounts whose sums are read and stored at once. */
const AT_ONCE = 500;

export const storedBytesRows = (documents: DocumentStore): Collection<StoredBytes> => documents.collection<StoredBytes>(STORED);

/** Counts the events of the store, from its first one on, in one replica at a time. */
export const storedBytesWork = (rows: Collection<StoredBytes>, subscribing: SubscriptionContext): BackgroundWork =>
  subscriptionWork(STORED, () => {
    const { add, store } = createSums(rows);
    const { checkpoints } = subscribing;
    return startExclusiveSubscription({
      ...{ ...subscribing, name: STORED, saveWithin: STORED_EACH_MS },
      // No position is saved before the sums up to it.
      checkpoints: { ...checkpoints, write: (ops) => store().then(() => checkpoints.write(ops)) },
      handle: add,
    });
  });

/** What counts of an event. `version`: 1 + its position. */
interface Counted {
  account: string;
  version: number;
  bytes: number;
}

/** Sums that wait to be stored. Events are let go at once: those that are kept with their states for a second live long enough to cost the garbage collector more than they are. */
function createSums(rows: Collection<StoredBytes>) {
  let waiting: Counted[] = [];
  let storing = Promise.resolve();

  async function storeAll(): Promise<void> {
    const counted = waiting;
    waiting = [];
    try {
      await countEvents(rows, counted);
    } catch (error) {
      waiting = [...counted, ...waiting];
      throw error;
    }
  }
  const store = (): Promise<void> => (storing = storing.catch(() => undefined).then(storeAll));

  return {
    store,
    async add(events: readonly Recorded[]): Promise<void> {
      if (waiting.length >= MOST_WAITING) await store();
      for (const event of events)
        if (isOfRequest(event)) waiting.push({ account: accountIn(event.stream), version: Number(event.position) + 1, bytes: event.bytes });
    },
  };
}

/** Adds the events beyond the position of their account's row. So a repeated batch, and one that another replica has begun to count, counts once. */
async function countEvents(rows: Collection<StoredBytes>, counted: readonly Counted[]): Promise<void> {
  const byAccount = [...Map.groupBy(counted, ({ account }) => account)];
  for (let at = 0; at < byAccount.length; at += AT_ONCE) await addTo(rows, byAccount.slice(at, at + AT_ONCE));
}

async function addTo(rows: Collection<StoredBytes>, counted: readonly [account: string, own: readonly Counted[]][]): Promise<void> {
  const known = new Map<string, StoredBytes>();
  for await (const row of rows.find({ _id: { $in: counted.map(([account]) => account) } })) known.set(row._id, row);
  const puts = counted.flatMap(([account, own]) => {
    const before = known.get(account) ?? { version: 0, bytes: 0 };
    const sum = own.reduce((all, { version, bytes }) => (version > all.version ? { version, bytes: all.bytes + bytes } : all), before);
    return sum.version > before.version ? [{ put: { _id: account, version: sum.version, bytes: sum.bytes } }] : [];
  });
  if (puts.length > 0) await rows.write(puts);
}

/** What an authority, an operator or this service itself causes does not count. */
const isOfRequest = ({ stream, metadata: { actor } }: Recorded): boolean =>
  CATEGORIES.has(categoryOf(stream)) && actor !== undefined && actor.type !== 'system';

/** Reads what was counted so. */
export const storedBytesOf =
  (rows: Collection<StoredBytes>): StoredBytesOfAccounts =>
  async (accounts) => {
    const found: Record<string, number> = {};
    for await (const { _id, bytes } of rows.find({ _id: { $in: [...accounts] } }, { limit: MOST_ACCOUNTS })) found[_id] = bytes;
    return found;
  };
