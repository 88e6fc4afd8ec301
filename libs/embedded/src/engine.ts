import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { lockFolder } from './folder-lock.ts';
import { FORMAT, migrate } from './format.ts';
import { errorFor, diskFailureOf, type DiskFailure } from './failure.ts';

/** A prepared statement. */
export interface Statement {
  get(...values: SQLInputValue[]): ReturnType<StatementSync['get']>;
  all(...values: SQLInputValue[]): ReturnType<StatementSync['all']>;
  /** Finish or leave the iteration in the turn in which it begins: an open one prevents checkpoints of the WAL. */
  iterate(...values: SQLInputValue[]): ReturnType<StatementSync['iterate']>;
  run(...values: SQLInputValue[]): ReturnType<StatementSync['run']>;
}

/** One write of one port, run inside the turn's transaction. It reads first and writes last, so that it throws before it has written. */
type Work<T> = (engine: Engine) => T;

interface Pending {
  work: Work<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Limit of cached statements, which take memory outside the heap; filters and sorts of lists have more combinations. */
const MOST_STATEMENTS = 1_000;
/** Of 4 KiB: other work waits for one step at most, of which the last also syncs the whole copy: seconds for one of some gigabytes. */
const PAGES_PER_STEP = 256;

/**
 * The only writer of a data folder. All writes of an event-loop turn run in one transaction, committed in `setImmediate` (WAL, synchronous
 * FULL: one fdatasync); their promises resolve after the commit. Reads see only committed data.
 */
export class Engine {
  private readonly statements = new Map<string, Statement>();
  private pending: Pending[] = [];
  private scheduled = false;
  private closed = false;
  private failure: DiskFailure | undefined;
  private notifyFailure: (error: Error) => void = () => undefined;
  /** Transactions committed and writes in them, for metrics and benchmarks. */
  readonly counters = { commits: 0, writes: 0 };

  private constructor(
    private readonly folder: string,
    private readonly db: DatabaseSync,
    private readonly release: () => void,
  ) {}

  /**
   * Opens (or creates) the folder's database, migrates an older format, and locks the folder for this process until `close`. Throws for a
   * newer format, a locked folder and a failing disk. `durable: false` is for simulations, where a crash is `abandon()`.
   */
  static open(folder: string, { durable = true } = {}): Engine {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const release = lockFolder(folder);
    let db: DatabaseSync | undefined;
    try {
      const path = join(folder, 'data.sqlite');
      closeSync(openSync(path, 'a', 0o600));
      db = new DatabaseSync(path);
      db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=${durable ? 'FULL' : 'OFF'}; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-32768;
        PRAGMA wal_autocheckpoint=4000; PRAGMA foreign_keys=OFF`);
      migrate(db);
      return new Engine(folder, db, release);
    } catch (error) {
      db?.close();
      release();
      const failure = diskFailureOf(error);
      throw failure ? errorFor(folder, failure, error) : error;
    }
  }

  /** Sets the listener of disk failures; the writes of one turn report one failure. */
  onDiskFailure(listener: (error: Error) => void): void {
    this.notifyFailure = listener;
  }

  /**
   * Readiness: true, or the last disk failure. A transient failure is tried again here by a write, because an instance that is not ready
   * gets no other writes. A damaged file fails until the process ends.
   */
  async check(): Promise<true | string> {
    if (this.failure?.isTransient) await this.write((engine) => engine.sql(`PRAGMA user_version=${FORMAT}`).run()).catch(() => undefined);
    return this.failure?.why ?? true;
  }

  /** Runs idempotent DDL of tables and indexes, all or none; at start only. */
  define(ddl: string): void {
    try {
      this.db.exec(`BEGIN IMMEDIATE; ${ddl}; COMMIT`);
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * The prepared statement of a text, cached among the last thousand. Call `get`, `all` and `iterate` anywhere, `run` only inside `write`.
   * Throws `DataFolderUnavailable` when the disk or the file fails.
   */
  sql(text: string): Statement {
    let statement = this.statements.get(text);
    if (!statement) {
      statement = this.checked(this.db.prepare(text));
      if (this.statements.size >= MOST_STATEMENTS) this.statements.delete(this.statements.keys().next().value as string);
      this.statements.set(text, statement);
    }
    return statement;
  }

  private checked(statement: StatementSync): Statement {
    const check = <R>(does: () => R): R => {
      try {
        return does();
      } catch (error) {
        throw this.errorOf(error);
      }
    };
    return {
      get: (...values) => check(() => statement.get(...values)),
      all: (...values) => check(() => statement.all(...values)),
      iterate: (...values) => this.checkedRows(() => statement.iterate(...values)),
      run: (...values) => check(() => statement.run(...values)),
    };
  }

  private *checkedRows(rows: () => ReturnType<StatementSync['iterate']>): ReturnType<StatementSync['iterate']> {
    try {
      yield* rows();
    } catch (error) {
      throw this.errorOf(error);
    }
  }

  /** The error to throw in place of `error`; records and reports a disk failure. */
  private errorOf(error: unknown): unknown {
    const failure = diskFailureOf(error);
    if (!failure) return error;
    if (this.failure?.isTransient !== false) this.failure = failure;
    const thrown = errorFor(this.folder, failure, error);
    this.notifyFailure(thrown);
    return thrown;
  }

  write<T>(work: Work<T>): Promise<T> {
    if (this.closed) return Promise.reject(new Error('the data folder is closed'));
    return new Promise<T>((resolve, reject) => {
      this.pending.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (!this.scheduled) {
        this.scheduled = true;
        setImmediate(() => this.commit());
      }
    });
  }

  private commit(): void {
    this.scheduled = false;
    if (this.closed) return;
    const turn = this.pending;
    this.pending = [];
    const done: (() => void)[] = [];
    try {
      this.sql('BEGIN IMMEDIATE').run();
      for (const { work, resolve, reject } of turn) {
        try {
          const value = work(this);
          done.push(() => resolve(value));
        } catch (error) {
          if (!this.db.isTransaction) throw error; // SQLite has rolled back the whole turn (disk full, I/O error): further writes would commit by themselves.
          done.push(() => reject(error));
        }
      }
      this.sql('COMMIT').run();
      if (this.failure?.isTransient) this.failure = undefined;
      this.counters.commits += 1;
      this.counters.writes += turn.length;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      for (const { reject } of turn) reject(error); // Nothing of this turn is stored or acknowledged.
      return;
    }
    for (const acknowledge of done) acknowledge();
  }

  /**
   * Copies the database, as of one moment, to a file that does not exist yet. Reads and writes go on between its steps. Throws SQLite's error: it
   * is mostly one of the file, while those of this database show when it is read and written.
   */
  async copyTo(path: string): Promise<void> {
    await backup(this.db, path, { rate: PAGES_PER_STEP });
  }

  /** Commits pending writes and unlocks the folder. */
  close(): void {
    if (this.closed) return;
    if (this.pending.length > 0) this.commit();
    this.abandon();
  }

  /** Closes as a crash does: pending writes are lost and never acknowledged. */
  abandon(): void {
    if (this.closed) return;
    this.closed = true;
    this.pending = [];
    this.statements.clear();
    this.db.close();
    this.release();
  }
}
