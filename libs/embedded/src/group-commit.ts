import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { checkpoint, type LastStep } from './checkpoint.ts';
import { HeldWal } from './held-wal.ts';
import { scrub } from './scrub.ts';

/** Forces what was written to an open file to its disk, outside of this thread; calls back when it is there. */
export type Sync = (fd: number, done: (error: Error | null) => void) => void;

export interface GroupCommitOptions {
  /** The database file of `db`. */
  path: string;
  /** Default: fdatasync in the thread pool. null: nothing is synced, for simulations of crashes of the process alone. */
  sync?: Sync | null;
  /** What a write rejects with in place of SQLite's error. */
  errorOf?(error: unknown): unknown;
  /** A checkpoint failed; it is tried again when the WAL has grown. */
  checkpointFailed?(error: Error): void;
  /** Readers of another process still keep the WAL, which has so many bytes, from being emptied; called at each try. */
  walHeld?(bytes: number): void;
}

interface Pending {
  work: () => unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The commit whose sync is under way: its rows by table, and those who wait for it. */
interface Unsynced {
  rows: ReadonlyMap<string, ReadonlySet<string>>;
  acknowledgements: (() => void)[];
  synced: PromiseWithResolvers<void>;
}

/** Size of the WAL at which it is checkpointed. */
const WAL_BYTES = 16 * 1_048_576;
/** Size at which writes wait for the checkpoint that is under way, unless a reader kept the last one from ending. */
const MOST_WAL_BYTES = 64 * 1_048_576;
/** In SQLite's own checkpoints of a database that is not synced. */
const WAL_PAGES = 4_000;
/** SQLite's codes of a sync that failed. */
const SYNC_FAILED = [1034, 1290];
const SQLITE_BUSY = 5;
const isBusy = (error: unknown): boolean => ((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY;
const isSyncFailure = (error: unknown): boolean => SYNC_FAILED.includes((error as { errcode?: number }).errcode ?? 0);

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
  /** Rows written by the open transaction. */
  private rows = new Map<string, Set<string>>();
  private unsynced: Unsynced | undefined;
  private scheduled = false;
  private closed = false;
  /** No commit begins: a checkpoint waits for the sync that is under way, or works. */
  private resting: { begin(): void } | undefined;
  private checkpointing = false;
  /** The WAL has all the size that it may have; writes wait for the checkpoint. */
  private isFull = false;
  private readonly held = new HeldWal();
  /** Size of the WAL at which the next checkpoint begins. */
  private largest = WAL_BYTES;
  /** Copies of the database that are under way on this connection; one begins again when another connection writes. */
  private copies = 0;
  private readonly begin: StatementSync;
  private readonly end: StatementSync;
  private readonly wal: number | undefined;
  /** The database file, once it was scrubbed. */
  private file: number | undefined;
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
    if (this.sync) this.wal = openSync(`${options.path}-wal`, 'r'); // This file has no POSIX lock that closing it could drop.
    if (isLeft) this.syncNow();
  }

  /** Runs `work` in the next transaction. It reads first and writes last, so that it throws before it has written. */
  write<T>(work: () => T): Promise<T> {
    if (this.closed) return Promise.reject(new Error('the data folder is closed'));
    return new Promise<T>((resolve, reject) => {
      this.pending.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.schedule();
    });
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
    if (this.scheduled || this.unsynced || this.resting || this.isFull || this.pending.length === 0) return;
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
      this.checkpointIfLarge();
      if (this.resting) this.resting.begin();
      else this.schedule();
    });
  }

  /** Runs the pending writes in one transaction. False: it was rolled back, and all of them are rejected. */
  private transact(): boolean {
    const turn = this.pending;
    this.pending = [];
    const acknowledgements: (() => void)[] = [];
    try {
      this.begin.run();
      for (const { work, resolve, reject } of turn) {
        try {
          const value = work();
          acknowledgements.push(() => resolve(value));
        } catch (error) {
          if (!this.db.isTransaction) throw error; // SQLite has rolled back the whole turn (disk full, I/O error): further writes would commit by themselves.
          acknowledgements.push(() => reject(error));
        }
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
    this.unsynced = { rows: this.rows, acknowledgements, synced: Promise.withResolvers() };
    this.rows = new Map();
    this.counters.commits += 1;
    this.counters.writes += turn.length;
    return true;
  }

  private acknowledge(): void {
    const { unsynced } = this;
    this.unsynced = undefined;
    for (const acknowledge of unsynced?.acknowledgements ?? []) acknowledge();
    unsynced?.synced.resolve();
  }

  /** The size of the WAL, and whether readers of another process keep it from being emptied. */
  get state(): Readonly<{ bytes: number; isHeld: boolean }> {
    return { bytes: this.wal === undefined || this.closed ? 0 : fstatSync(this.wal).size, isHeld: this.held.isHeld };
  }

  private checkpointIfLarge(): void {
    const { bytes } = this.state;
    if (this.checkpointing) this.isFull = !this.held.waits && bytes >= MOST_WAL_BYTES;
    if (!this.checkpointing && !this.held.waits && bytes >= this.largest) this.checkpoint();
  }

  private checkpoint(): void {
    if (this.closed || this.checkpointing) return;
    this.checkpointing = true;
    // A WAL that starts anew keeps its size, since growing makes syncs slower; it is cut when it has grown far beyond it.
    const last = (): LastStep => ({
      mode: this.copies === 0 && this.state.bytes > 2 * WAL_BYTES ? 'TRUNCATE' : 'RESTART',
      first: this.copies > 0 ? 'writer' : 'worker',
    });
    const over = (growth: number): void => {
      this.checkpointing = false;
      this.isFull = false;
      if (this.closed) return;
      this.largest = Math.max(WAL_BYTES, this.state.bytes + growth);
      this.schedule();
    };
    checkpoint(this.options.path, (finish) => this.atRest(() => finish(last()))).then(
      () => {
        this.held.ended();
        over(1);
      },
      (error: unknown) => {
        this.failed(error);
        over(WAL_BYTES / 4);
      },
    );
  }

  private failed(error: unknown): void {
    if (isSyncFailure(error)) endProcess(this.options.path, error as Error);
    if (!isBusy(error)) {
      this.held.ended();
      this.options.checkpointFailed?.(error as Error);
    } else this.giveUp();
  }

  /** A reader holds the WAL: writes go on, and the next checkpoint is tried later, since each try holds them up for some milliseconds. */
  private giveUp(): void {
    if (this.closed) return;
    this.held.gaveUp(() => this.checkpoint());
    if (this.held.isHeld) this.options.walHeld?.(this.state.bytes);
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
   * Scrubs some pages between two commits, and empties the WAL. Returns how many pages the file has; undefined: not now, since the database is being
   * copied or checkpointed, or is read by another process. Throws SQLite's error.
   */
  async scrub(from: number, pages: number): Promise<number | undefined> {
    // Writes wait while it empties the WAL: a large one is copied by a checkpoint, beside them.
    this.checkpointIfLarge();
    if (this.copies > 0 || this.checkpointing || this.held.waits || this.closed)
      return new Promise((resolve) => setImmediate(resolve, undefined));
    this.checkpointing = true;
    this.file ??= openSync(this.options.path, 'r+');
    const slice = { path: this.options.path, file: this.file, from, pages };
    try {
      let total: number | undefined;
      await this.atRest(async () => void (total = await scrub(slice)));
      return total;
    } catch (error) {
      if (isSyncFailure(error)) endProcess(this.options.path, error as Error);
      if (!isBusy(error)) throw this.errorOf(error);
      this.giveUp();
      return undefined;
    } finally {
      this.checkpointing = false;
      this.isFull = false;
      if (!this.closed) this.schedule();
    }
  }

  /** Closes what `scrub` has opened, once the database is closed: not before, because SQLite's locks on the file end with it. */
  databaseClosed(): void {
    if (this.file !== undefined && !this.checkpointing) closeSync(this.file); // else a worker may still use it, and it stays open
  }

  /** Runs a copy of the database, on this connection. */
  async copying<T>(copy: () => Promise<T>): Promise<T> {
    this.copies += 1;
    try {
      return await copy();
    } finally {
      this.copies -= 1;
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
    this.held.ended();
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

function endProcess(path: string, error: Error): never {
  writeSync(
    2,
    `${path} could not be synced to its disk: ${error.message}. What was acknowledged is stored. Check the disk, then start again.\n`,
  );
  process.exit(1);
}
