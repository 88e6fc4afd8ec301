import { MOST_ACCOUNTS, type StoredBytes } from '@svc/contracts/account/stored-bytes';
import type { Collection } from '@svc/document-store';
import { countedIn, createByteCounter } from '@svc/document-store/counted-bytes';
import { type Clock, recentlyUsed } from '@svc/kernel';
import { logFailure, type Logger, repeatedWork } from '@svc/service';
import type { Limits } from '../accounts/account.ts';
import type { AuditBytesRows } from './audit-bytes.ts';
import { exportedIn, type KeptBytes, setExported } from './kept-bytes.ts';
import { KEPT_MS } from '../idempotency/row.ts';
import { measureStorage } from './metrics.ts';

/** What a request adds to what is stored; see the table of routes. */
export type Stores = 'creation' | 'change';

interface Owner {
  account: string;
  limits: Pick<Limits, 'storage'>;
}

export interface StorageUsageOptions {
  rows: Collection<KeptBytes>;
  auditBytes: AuditBytesRows;
  /** Of each service that counts. */
  storedBytes: readonly StoredBytes[];
  clock: Clock;
  logger: Logger;
}

interface Known {
  /** At each service that counts. */
  services: number[];
  kept: number;
  exports: number;
  quota: number;
}

/** With the second in which a service collects events, less than the 10 s by which a count may be late. */
const REFRESH_MS = 5_000;
const MOST_KNOWN = 20_000;
const LEAST_ROOM_FOR_CHANGES = 100 * 1024 * 1024;

/** How much of their storage accounts have used, as it was some seconds ago. */
export function createStorageUsage({ rows, auditBytes, storedBytes, clock, logger }: StorageUsageOptions) {
  const known = recentlyUsed<Known>(MOST_KNOWN);
  const active = new Set<string>();
  const responses = createByteCounter({ rows, clock, logger, removedAt: (now) => now + KEPT_MS });
  /** Services without an answer, which is logged once. */
  const silent = new Set<StoredBytes>();
  measureStorage(() => [...known.values()].map(partOf));

  const look = (account: string, quota: number): Known => {
    if (active.size < MOST_KNOWN) active.add(account);
    let of = known.get(account);
    if (of === undefined) known.set(account, (of = { services: storedBytes.map(() => 0), kept: 0, exports: 0, quota }));
    of.quota = quota;
    return of;
  };

  async function ask(accounts: string[]): Promise<void> {
    const now = clock.now();
    const [kept, exports] = [new Map<string, number>(), new Map<string, number>()];
    for await (const row of rows.find({ _id: { $in: accounts } }, { limit: MOST_ACCOUNTS })) {
      kept.set(row._id, countedIn(row, now));
      exports.set(row._id, exportedIn(row, now));
    }
    for await (const { _id, bytes } of auditBytes.find({ _id: { $in: accounts } }, { limit: MOST_ACCOUNTS }))
      kept.set(_id, (kept.get(_id) ?? 0) + bytes);
    const answers = await Promise.all(storedBytes.map((service) => askOne(service, accounts)));
    for (const account of accounts) {
      const of = known.get(account);
      if (!of) continue;
      of.kept = (kept.get(account) ?? 0) + responses.waiting(account);
      of.exports = exports.get(account) ?? 0;
      of.services = answers.map((answer, n) => (answer ? (answer[account] ?? 0) : (of.services[n] ?? 0)));
    }
  }

  async function askOne(service: StoredBytes, accounts: string[]): Promise<Record<string, number> | undefined> {
    try {
      const answer = await service(accounts);
      silent.delete(service);
      return answer;
    } catch (error) {
      if (!silent.has(service)) logFailure(logger, error, 'a service does not report what accounts have stored; its last answers hold');
      silent.add(service);
      return undefined;
    }
  }

  async function refresh(): Promise<void> {
    await responses.write();
    const accounts = [...active];
    active.clear();
    for (let n = 0; n < accounts.length; n += MOST_ACCOUNTS) await ask(accounts.slice(n, n + MOST_ACCOUNTS));
  }

  return {
    /** The used part of the quota, 1 and more: nothing is left; 0 until the first answer about an account. Looks after the account from now on. */
    used: ({ account, limits }: Owner): number => partOf(look(account, limits.storage)),
    /** Bytes that it has stored, as far as is known. */
    bytes({ account, limits }: Owner): number {
      return storedIn(look(account, limits.storage));
    },
    /** Whether the account may store so. Changes may go beyond the quota by a tenth, at least 100 MiB, so that what was refused for its data can be fixed. */
    hasCapacity({ account, limits }: Owner, stores: Stores): boolean {
      const of = look(account, limits.storage);
      const most = stores === 'creation' ? of.quota : of.quota + Math.max(of.quota / 10, LEAST_ROOM_FOR_CHANGES);
      return storedIn(of) < most;
    },
    /** Whether exports may have more. All of an account have no more than what they leave free, so that documents can still be created. */
    mayExport({ account, limits }: Owner): boolean {
      const of = look(account, limits.storage);
      return of.exports < of.quota - storedIn(of);
    },
    /** Counts the bytes of a response that was kept. */
    kept(account: string, bytes: number): void {
      responses.add(account, bytes);
      const of = known.get(account);
      if (of) of.kept += bytes;
    },
    /** Counts what an export has stored by now, which is removed then, in milliseconds since 1970; 0: it is. */
    async exported(what: { account: string; id: string; bytes: number; until: number }): Promise<void> {
      const row = await setExported(rows, clock.now(), what);
      const of = known.get(what.account);
      if (of) of.exports = exportedIn(row, clock.now());
    },
    /** Asks about the accounts that were active since the last time. */
    refresh,
    work: repeatedWork({
      ...{ name: 'storage', every: REFRESH_MS, clock },
      run: () => refresh().catch((error: unknown) => logFailure(logger, error, 'what accounts have stored is not known')),
      last: responses.write,
    }),
  };
}

export type StorageUsage = ReturnType<typeof createStorageUsage>;

const storedIn = ({ services, kept, exports }: Known): number => services.reduce((sum, bytes) => sum + bytes, kept + exports);
const partOf = (of: Known): number => storedIn(of) / of.quota;
