import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Checkpoints, type CheckpointsOptions } from './checkpoints.ts';
import { endProcess, isSyncFailure } from './failed-sync.ts';

/** Forces what was written to an open file to its disk, outside of this thread; calls back when it is there. */
export type Sync = (fd: number, done: (error: Error | null) => void) => void;

export interface GroupCommitOptions extends CheckpointsOptions {
  /** Default: fdatasync in the thread pool. null: nothing is synced, for simulations of crashes of the process alone. */
  sync?: Sync | null;
}

interface Pending {
  work: () => unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** Those of one unit are all stored, or none. */
  unit: symbol | undefined;
}

/** The commit whose sync is under way: its rows by table, and those who wait for it. */
interface Unsynced {
  rows: ReadonlyMap<string, ReadonlySet<string>>;
  acknowledgements: (() => void)[];
  synced: PromiseWithResolvers<void>;
}

/** In SQLite's own checkpoints of a database that is not synced. */
const WAL_PAGES = 4_000;

/**
 * Commits all writes of an event-loop turn in one transaction of a WAL database, and acknowledges them when an fdatasync of the WAL that began
 * after the commit has returned. Syncs run in the thread pool and checkpoints in a worker: a slow disk delays writes, never the event loop.
 * Writes that come while a sync is under way share the next commit.
 *
 * `synchronous=NORMAL`: SQLite syncs by itself only in checkpoints and when it starts the WAL anew, which `checkpoint` does in its worker. A sync
 * that fails ends the process: the kernel has dropped the pages, and a second sync would succeed without them.
 */
export class GroupCommit {
  private pending: Pending[] = [];
  /** Of the writes that begin now. */
  private unit: symbol | undefined;
  /** Rows written by the open transaction. */
  private rows = new Map<string, Set<string>>();
  private unsynced: Unsynced | undefined;
  private scheduled = false;
  private closed = false;
  /** No commit begins: a checkpoint waits for the sync that is under way, or works. */
  private resting: { begin(): void } | undefined;
  /** When the WAL is copied into the database. */
  readonly checkpoints: Checkpoints;
  private readonly begin: StatementSync;
  private readonly end: StatementSync;
  /** A unit in the transaction. */
  private readonly unitIn: Record<'begin' | 'undo' | 'end', StatementSync>;
  private readonly wal: number | undefined;
  private readonly sync: Sync | null;
  private readonly errorOf: (error: unknown) => unknown;
  /** Transactions and the writes in them so far. */
  readonly counters = { commits: 0, writes: 0 };

  /** Sets the pragmas of the database, which `close` does not close. */
  constructor(
    private readonly db: DatabaseSync,
    private readonly options: GroupCommitOptions,
  ) {
    this.sync = options.sync === undefined ? fdatasync : options.sync;
    this.errorOf = options.errorOf ?? ((error) => error);
    const [synchronous, pages] = this.sync ? ['NORMAL', 0] : ['OFF', WAL_PAGES];
    db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=${synchronous}; PRAGMA wal_autocheckpoint=${pages}`);
    let isLeft = false;
    waiting(db, () => {
      // What an earlier process committed may not be on the disk: it is copied and synced before anybody reads it. SQLite would take a failed sync for done.
      if (this.sync) isLeft = copyWal(db);
      rewriteVersion(db); // The first write syncs the header of the WAL.
    });
    this.begin = db.prepare('BEGIN IMMEDIATE');
    this.end = db.prepare('COMMIT');
    this.unitIn = { begin: db.prepare('SAVEPOINT unit'), undo: db.prepare('ROLLBACK TO unit'), end: db.prepare('RELEASE unit') };
    if (this.sync) this.wal = openSync(`${options.path}-wal`, 'r'); // This file has no POSIX lock that closing it could drop.
    this.checkpoints = new Checkpoints({ atRest: (work) => this.atRest(work), resume: () => this.schedule() }, this.wal, options);
    if (isLeft) this.syncNow();
    options.changes?.findStart();
  }

  /** Runs `work` in the next transaction. It reads first and writes last, so that it throws before it has written. */
  write<T>(work: () => T): Promise<T> {
    if (this.closed) return Promise.reject(new Error('the data folder is closed'));
    return new Promise<T>((resolve, reject) => {
      this.pending.push({ work, resolve: resolve as (value: unknown) => void, reject, unit: this.unit });
      this.schedule();
    });
  }

  /** The writes that `begin` begins before it returns are one: all of them are stored or, where one throws, none, and all reject with its error. */
  asOne<T>(begin: () => T): T {
    const outer = this.unit;
    this.unit = outer ?? Symbol('unit');
    try {
      return begin();
    } finally {
      this.unit = outer;
    }
  }

  /** Notes that the open transaction writes this row: whoever reads it waits for its sync. */
  wrote(table: string, row: string): void {
    const rows = this.rows.get(table);
    if (rows) rows.add(row);
    else this.rows.set(table, new Set([row]));
  }

  /** Resolves when the row (all rows of the table where none is named) is on the disk as it is read; undefined when it is. */
  syncOf(table: string, row?: string): Promise<void> | undefined {
    const rows = this.unsynced?.rows.get(table);
    return rows && (row === undefined || rows.has(row)) ? this.unsynced?.synced.promise : undefined;
  }

  private schedule(): void {
    if (this.scheduled || this.unsynced || this.resting || this.checkpoints.isFull || this.pending.length === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      if (!this.closed && !this.resting && !this.unsynced) this.commit();
    });
  }

  private commit(): void {
    if (!this.transact()) return this.schedule();
    const { wal, sync } = this;
    if (wal === undefined || sync === null) return this.acknowledge();
    sync(wal, (error) => {
      if (this.closed) closeSync(wal);
      if (this.closed && !this.unsynced) return; // abandoned
      if (error) return endProcess(this.options.path, error);
      this.acknowledge();
      if (this.closed) return;
      this.checkpoints.beginIfLarge();
      if (this.resting) this.resting.begin();
      else this.schedule();
    });
  }

  /** Runs the pending writes in one transaction. False: it was rolled back, and all of them are rejected. */
  private transact(): boolean {
    const { changes } = this.options;
    changes?.beforeCommit();
    const turn = this.pending;
    this.pending = [];
    const acknowledgements: (() => void)[] = [];
    try {
      this.begin.run();
      for (let [n, next] = [0, 0]; n < turn.length; n = next) {
        const { unit } = turn[n] as Pending;
        next = n + 1;
        while (unit && turn[next]?.unit === unit) next += 1;
        acknowledgements.push(...this.run(turn.slice(n, next)));
      }
      this.end.run();
    } catch (error) {
      if (isSyncFailure(error)) endProcess(this.options.path, error as Error);
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      this.rows.clear();
      const thrown = this.errorOf(error);
      for (const { reject } of turn) reject(thrown); // Nothing of this turn is stored or acknowledged.
      return false;
    }
    changes?.afterCommit();
    this.unsynced = { rows: this.rows, acknowledgements, synced: Promise.withResolvers() };
    this.rows = new Map();
    this.counters.commits += 1;
    this.counters.writes += turn.length;
    return true;
  }

  /** Inside the transaction: one write, or several as one. Returns what answers them. */
  private run(writes: readonly Pending[]): (() => void)[] {
    const isUnit = writes.length > 1;
    if (isUnit) this.unitIn.begin.run();
    try {
      const values = writes.map(({ work }) => work());
      return writes.map(
        ({ resolve }, n) =>
          () =>
            resolve(values[n]),
      );
    } catch (error) {
      if (!this.db.isTransaction) throw error; // SQLite has rolled back the whole turn (disk full, I/O error): further writes would commit by themselves.
      if (isUnit) this.unitIn.undo.run();
      return writes.map(
        ({ reject }) =>
          () =>
            reject(error),
      );
    } finally {
      if (isUnit && this.db.isTransaction) this.unitIn.end.run();
    }
  }

  private acknowledge(): void {
    const { unsynced } = this;
    this.unsynced = undefined;
    for (const acknowledge of unsynced?.acknowledgements ?? []) acknowledge();
    unsynced?.synced.resolve();
  }

  /** Runs `work` between two commits, when the former is synced. Not once the database is closed. */
  private async atRest(work: () => Promise<void>): Promise<void> {
    await new Promise<void>((resolve) => {
      this.resting = { begin: resolve };
      if (!this.unsynced) resolve();
    });
    try {
      if (!this.closed) await work();
    } finally {
      this.resting = undefined;
      if (!this.closed) this.schedule();
    }
  }

  /**
   * Commits pending writes and syncs them in this thread. They are acknowledged at once, or, where a sync is under way, with the writes of that one when it
   * has ended well: the kernel reports a failure to it alone, which may be of theirs.
   */
  close(): void {
    if (this.closed) return;
    const syncing = this.unsynced;
    if (this.pending.length > 0) waiting(this.db, () => void this.transact());
    this.syncNow();
    if (!syncing) this.acknowledge();
    else if (this.unsynced !== syncing) syncing.acknowledgements.push(...(this.unsynced?.acknowledgements ?? []));
    this.unsynced = syncing;
    this.letGo(syncing !== undefined);
  }

  private syncNow(): void {
    if (this.wal === undefined) return;
    try {
      fdatasyncSync(this.wal);
    } catch (error) {
      endProcess(this.options.path, error as Error);
    }
  }

  /** Ends as a crash does: what is pending or not synced is never acknowledged. */
  abandon(): void {
    if (this.closed) return;
    const isSyncing = this.unsynced !== undefined;
    this.pending = [];
    this.unsynced = undefined;
    this.letGo(isSyncing);
  }

  /** The sync that is under way closes the file at its end. */
  private letGo(isSyncing: boolean): void {
    this.closed = true;
    this.checkpoints.end();
    if (this.wal !== undefined && !isSyncing) closeSync(this.wal);
    this.resting?.begin();
  }
}

/** A worker that is still at a checkpoint has a lock. Not while the process serves: a wait for it would stop the event loop. */
export const LOCKED_MS = 5_000;

/** Runs `work`, which may wait some seconds for locks on the database: at the start and at the end. */
export function waiting(db: DatabaseSync, work: () => void): void {
  db.exec(`PRAGMA busy_timeout=${LOCKED_MS}`);
  try {
    work();
  } finally {
    db.exec('PRAGMA busy_timeout=0');
  }
}

/** Copies the WAL into the database and syncs both. True: a reader of another process kept it from copying all. */
function copyWal(db: DatabaseSync): boolean {
  db.exec('PRAGMA synchronous=FULL');
  const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
  db.exec('PRAGMA synchronous=NORMAL');
  return busy !== 0;
}

/** Writes the version that the database has. */
function rewriteVersion(db: DatabaseSync): void {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  db.exec(`PRAGMA user_version=${version}`);
}
