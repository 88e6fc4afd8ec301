import { createRetention, type Collection, type DocumentStore, type RunningRetention } from '@svc/document-store';
import { findRestored } from '@svc/document-store/restored';
import type { Clock, Ids } from '@svc/kernel';
import type { Health, KeyRing, Logger } from '@svc/service';
import type { KeysContext } from './keys/context.ts';
import { loadPeppers } from './keys/peppers.ts';
import { createSuspensions, type Suspensions } from './principals/suspensions.ts';
import { createKeyRecognizer, type KeyRecognizer } from './principals/api-key/recognize.ts';
import { accountStore } from './keys/store.ts';
import { forgetAnswers } from './idempotency/erasing.ts';
import { expiredKeys } from './idempotency/expiry.ts';
import { type IdempotencyRow, idempotencyRows } from './idempotency/row.ts';
import { openProcesses, type Processes } from './idempotency/processes.ts';
import { createIdempotencyStore, type IdempotencyStore } from './idempotency/store.ts';
import type { Limiter } from './limiter/port.ts';
import { keptBytesRows } from './storage/kept-bytes.ts';
import { createStorageUsage, type StorageUsage, type StoredBytes } from './storage/usage.ts';

export interface GatewayAdapters {
  /** The database `svc_gateway`. */
  documents: DocumentStore;
  limiter: Limiter;
  /** What accounts have stored at invoicing. */
  storedBytes: StoredBytes;
  /** Encrypts peppers and kept answers that show secrets. */
  secrets: KeyRing;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  health: Health;
  /** Names this process in leases, and no other one that runs. One that starts under the name of an earlier one takes over its claims at once. */
  holder?: string;
  /** Origin of links in lists, without a trailing slash. */
  publicUrl: string;
}

/** Dependencies of the gateway's module, and most options of `useEdge`. */
export interface Gateway extends Pick<GatewayAdapters, 'limiter' | 'clock' | 'ids' | 'logger'> {
  accounts: KeysContext;
  keys: KeyRecognizer;
  suspensions: Suspensions;
  storage: StorageUsage;
  idempotency: IdempotencyStore;
  idempotencyRows: Collection<IdempotencyRow>;
  processes: Processes;
  retention: RunningRetention;
}

export async function openGateway(adapters: GatewayAdapters): Promise<Gateway> {
  const { documents, limiter, storedBytes, secrets, clock, ids, logger, health, holder } = adapters;
  const store = accountStore(documents);
  const rows = idempotencyRows(documents);
  await findRestored(documents, clock, () => forgetAnswers(rows));
  const processes = await openProcesses({ documents, clock, ids, logger, ...(holder !== undefined && { holder }) });
  const peppers = await loadPeppers(store.peppers, secrets);
  health.register('gateway', async () => (await store.peppers.get('1')) !== undefined || 'its database is empty');
  const keys = createKeyRecognizer({ store, peppers }, { clock, logger });
  const suspensions = createSuspensions(store.accounts, { clock, logger });
  const forget = (): void => {
    keys.forget();
    suspensions.forget();
  };
  const storage = createStorageUsage({ rows: keptBytesRows(documents), storedBytes, clock, logger });
  return {
    ...{ limiter, clock, ids, logger, keys, suspensions, storage },
    accounts: { store, peppers, clock, ids, forget },
    idempotency: createIdempotencyStore({ rows, clock, secrets, processes, kept: storage.kept }),
    idempotencyRows: rows,
    processes,
    retention: createRetention({ documents, clock, logger, of: [expiredKeys(rows)] }),
  };
}
