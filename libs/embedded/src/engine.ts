import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { lockFolder } from './folder-lock.ts';
import { FORMAT, migrate } from './format.ts';
import { errorFor, diskFailureOf, type DiskFailure } from './failure.ts';

/** A prepared statement. */
export interface Statement {
  get(...values: SQLInputValue[]): ReturnType<StatementSync['get']>;
  all(...values: SQLInputValue[]): ReturnType<StatementSync['all']>;
  /** To be finished or left in the turn in which it begins: an open one keeps the WAL from being checkpointed. */
  iterate(...values: SQLInputValue[]): ReturnType<StatementSync['iterate']>;
  run(...values: SQLInputValue[]): ReturnType<StatementSync['run']>;
}

/** One write of one port: runs inside the turn's transaction. It looks first and writes after, so that it may throw before it has written. */
type Work<T> = (engine: Engine) => T;

interface Pending {
  work: Work<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Filters and sorts of lists can be combined in more ways than there is room for their statements, which lie outside the heap. */
const MOST_STATEMENTS = 1_000;

/**
 * The one writer of a data folder. Every `write` of an event-loop turn runs in one transaction, committed once in `setImmediate`
 * (WAL, synchronous FULL: one fdatasync); its promise resolves after the commit. Reads see committed data alone.
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
   * Opens (or makes) the folder's database, migrates an older format, refuses a newer one, and keeps the folder for this process
   * until `close`. `durable: false` is for simulations alone, where a crash is `abandon()`.
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

  /** Is told of every error by which the disk or the file fails: writes of a whole turn are one. */
  onDiskFailure(tell: (error: Error) => void): void {
    this.notifyFailure = tell;
  }

  /**
   * Readiness: true, or what ails the disk or the file, since an error that said so. What isTransient is tried again here, for where nobody
   * is sent any work nobody writes; a damaged file stays one until the process ends.
   */
  async check(): Promise<true | string> {
    if (this.failure?.isTransient) await this.write((engine) => engine.sql(`PRAGMA user_version=${FORMAT}`).run()).catch(() => undefined);
    return this.failure?.why ?? true;
  }

  /** Declares tables and indexes, all of them or none; idempotent DDL, at start alone. */
  define(ddl: string): void {
    try {
      this.db.exec(`BEGIN IMMEDIATE; ${ddl}; COMMIT`);
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * The prepared statement for this text, kept among the last thousand. For `get`, `all` and `iterate` anywhere, for `run` inside `write` alone.
   * Throws `DataFolderUnavailable` where the disk or the file fails.
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

  /** What is thrown in the place of an error. */
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
          if (!this.db.isTransaction) throw error; // SQLite gave up the whole turn (disk full, I/O error): what came next would commit by itself
          done.push(() => reject(error));
        }
      }
      this.sql('COMMIT').run();
      if (this.failure?.isTransient) this.failure = undefined;
      this.counters.commits += 1;
      this.counters.writes += turn.length;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      for (const { reject } of turn) reject(error); // nothing of this turn is stored, and nobody is told it is
      return;
    }
    for (const tell of done) tell();
  }

  /** Commits what waits, then lets the folder go. */
  close(): void {
    if (this.closed) return;
    if (this.pending.length > 0) this.commit();
    this.abandon();
  }

  /** Lets go as a crash would: what was not committed is lost and never answered. */
  abandon(): void {
    if (this.closed) return;
    this.closed = true;
    this.pending = [];
    this.statements.clear();
    this.db.close();
    this.release();
  }
}
