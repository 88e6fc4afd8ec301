import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { lockFolder } from './folder-lock.ts';
import { FORMAT, prepare } from './format.ts';
import { Names } from './packing/names.ts';
import { Phrases } from './packing/phrases.ts';
import { createPrivately } from './private-file.ts';
import { WalChanges, type WalChangesOptions } from './changes/wal-changes.ts';
import { rewriteWal } from './rewrite-wal.ts';
import { syncEntries } from './sync-entries.ts';
import { errorFor, diskFailureOf, type DiskFailure } from './failure.ts';
import { GroupCommit, LOCKED_MS, waiting, type Sync } from './group-commit.ts';

export interface Statement {
  get(...values: SQLInputValue[]): ReturnType<StatementSync['get']>;
  all(...values: SQLInputValue[]): ReturnType<StatementSync['all']>;
  /** Finish or leave the iteration in the turn in which it begins: an open one prevents checkpoints of the WAL. */
  iterate(...values: SQLInputValue[]): ReturnType<StatementSync['iterate']>;
  run(...values: SQLInputValue[]): ReturnType<StatementSync['run']>;
}

/** Limit of cached statements, which take memory outside the heap; filters and sorts of lists have more combinations. */
const MOST_STATEMENTS = 1_000;
/** Of 4 KiB: other work waits for one step at most, of which the last also syncs the whole copy: seconds for one of some gigabytes. */
const PAGES_PER_STEP = 256;
/** Of 4 KiB: other writes wait for one slice at most, which is read in some milliseconds. */
const PAGES_PER_SCRUB = 1_024;

export interface EngineOptions {
  /** As in `GroupCommitOptions`. */
  sync?: Sync;
  /** False for simulations, where a crash is `abandon()`: nothing is synced. */
  durable?: boolean;
  /** What recurs in stored texts, the most frequent first. The database keeps each that it ever had. */
  phrases?: readonly string[];
  /** For work at the start that takes seconds. */
  logger?: EngineLog;
  /** For a copy that continues: `engine.changes` has what is committed. */
  changes?: WalChangesOptions | undefined;
}

export interface EngineLog {
  info(fields: object, message: string): void;
}
const silent: EngineLog = { info: () => undefined };

/** What is written with the write of a command. */
export interface Joined {
  work(): void;
  /** Called when both are on the disk: no later write has it. */
  stored(): void;
}

/**
 * The only writer of a data folder. All writes of an event-loop turn run in one transaction; their promises resolve when it is on the disk. Reads see
 * what is committed: `syncOf` says what of it is not on the disk yet.
 */
export class Engine {
  private readonly statements = new Map<string, Statement>();
  /** By command id: what is written with its next write. */
  private readonly joined = new Map<string, Joined>();
  private readonly commits: GroupCommit;
  readonly names: Names;
  /** For the ports, at the start. */
  readonly logger: EngineLog;
  private closed = false;
  private failure: DiskFailure | undefined;
  private notifyFailure: (error: Error) => void = () => undefined;
  private notifyHeld: (walBytes: number) => void = () => undefined;

  private constructor(
    private readonly folder: string,
    private readonly db: DatabaseSync,
    private readonly release: () => void,
    /** Packs and unpacks texts, for the ports; in SQL `unpacked(text)`. */
    readonly phrases: Phrases,
    /** Undefined where the options ask for none. */
    readonly changes: WalChanges | undefined,
    { durable = true, sync, logger = silent }: EngineOptions,
  ) {
    this.logger = logger;
    db.function('unpacked', { deterministic: true }, (stored) => phrases.unpack(stored as string));
    this.names = new Names({ sql: (text) => this.sql(text), isInTransaction: () => db.isTransaction });
    const errorOf = (error: unknown) => this.errorOf(error);
    const checkpointFailed = (error: Error): void => {
      if (errorOf(error) === error) this.notifyFailure(error); // errorOf has reported the others
    };
    this.commits = new GroupCommit(db, {
      path: pathIn(folder),
      errorOf,
      checkpointFailed,
      walHeld: (bytes) => this.notifyHeld(bytes),
      changes,
      ...(durable ? sync && { sync } : { sync: null }),
    });
  }

  /**
   * Opens (or creates) the folder's database, and locks the folder for this process until `close`. Throws for another format, a locked folder
   * and a failing disk.
   */
  static open(folder: string, options: EngineOptions = {}): Engine {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (options.durable !== false) syncEntries(folder);
    const release = lockFolder(folder);
    let db: DatabaseSync | undefined;
    try {
      const path = pathIn(folder);
      createPrivately(path);
      const leftAt = statSync(`${path}-wal`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (options.durable !== false) rewriteWal(`${path}-wal`);
      db = new DatabaseSync(path, { timeout: LOCKED_MS });
      db.exec(
        'PRAGMA journal_mode=WAL; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-32768; PRAGMA foreign_keys=OFF; PRAGMA secure_delete=ON',
      );
      prepare(db);
      const kept = Phrases.of(db, options.phrases);
      const changes = options.changes && new WalChanges(db, `${path}-wal`, leftAt, options.changes);
      return new Engine(folder, db, release, kept, changes, options);
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

  /** Sets the listener of tries to empty the WAL that a reader of another process has prevented for a second or more; the WAL grows meanwhile. */
  onWalHeld(listener: (walBytes: number) => void): void {
    this.notifyHeld = listener;
  }

  /** As in `GroupCommit`. */
  get wal(): Readonly<{ bytes: number; isHeld: boolean }> {
    return this.commits.checkpoints.state;
  }

  /** The disk failed at a write, and no `check` has found since that it takes writes again. Reads go on. */
  get refusesWrites(): boolean {
    return this.failure?.isTransient === true;
  }

  /**
   * Readiness: true, or the last disk failure. A transient failure is tried again here by a write, because an instance that is not ready
   * gets no other writes. A damaged file fails until the process ends.
   */
  async check(): Promise<true | string> {
    if (this.failure?.isTransient)
      await this.write((engine) => engine.sql(`PRAGMA user_version=${FORMAT}`).run()).then(
        () => (this.failure = undefined),
        () => undefined,
      );
    return this.failure?.why ?? true;
  }

  /** Runs idempotent DDL of tables and indexes, all or none; at start only. */
  define(ddl: string): void {
    try {
      waiting(this.db, () => this.db.exec(`BEGIN IMMEDIATE; ${ddl}; COMMIT`));
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

  /** Transactions and the writes in them so far, for metrics and benchmarks. */
  get counters(): Readonly<{ commits: number; writes: number }> {
    return this.commits.counters;
  }

  /**
   * One write of one port, in the turn's transaction. `work` reads first and writes last, so that it throws before it has written, and names the rows
   * by `wrote`. `command`: the id of the command whose write it is, for `join`.
   */
  write<T>(work: (engine: Engine) => T, command?: string): Promise<T> {
    const joined = command === undefined ? undefined : this.joined.get(command);
    if (command === undefined || !joined) return this.commits.write(() => work(this));
    const isJoined = (): boolean => this.joined.get(command) === joined;
    const written = this.commits.write(() => {
      if (isJoined()) joined.work();
      return work(this);
    });
    return written.then((value) => {
      if (!isJoined()) return value;
      this.joined.delete(command);
      joined.stored();
      return value;
    });
  }

  /** As in `GroupCommit`. */
  asOne<T>(begin: () => T): T {
    return this.commits.asOne(begin);
  }

  /** Runs `work` before the next write of this command, in its transaction, and again with the one after a write that failed; it stands where the write itself throws. Not after `part`. */
  join(command: string, joined: Joined): void {
    this.joined.set(command, joined);
  }

  part(command: string): void {
    this.joined.delete(command);
  }

  /** As in `GroupCommit`. */
  wrote(table: string, row: string): void {
    this.commits.wrote(table, row);
  }

  /** As in `GroupCommit`: await it before a read, where there is one. */
  syncOf(table: string, row?: string): Promise<void> | undefined {
    return this.commits.syncOf(table, row);
  }

  /**
   * Copies the database, as of one moment, to a file that does not exist yet. Reads and writes go on between its steps. Throws SQLite's error: it
   * is mostly one of the file, while those of this database show when it is read and written.
   */
  async copyTo(path: string): Promise<void> {
    await this.commits.checkpoints.copying(() => backup(this.db, path, { rate: PAGES_PER_STEP }));
  }

  /**
   * Removes from the files what changed and deleted rows have left there, in slices: reads go on, and writes wait for one slice at most. `pause` is
   * awaited after each; it throws to end early. While another process reads the database nothing is scrubbed. Throws SQLite's error; what is scrubbed by
   * then stays so.
   */
  async scrub(pause: () => Promise<void>): Promise<void> {
    for (let [from, pages] = [0, Infinity]; from < pages; await pause()) {
      const scrubbed = await this.commits.checkpoints.scrub(from, PAGES_PER_SCRUB);
      if (scrubbed) [from, pages] = [scrubbed.next, scrubbed.total];
    }
  }

  /** Commits pending writes and unlocks the folder. */
  close(): void {
    if (this.closed) return;
    this.commits.close();
    this.letGo();
  }

  /** Closes as a crash does: pending writes are lost and never acknowledged. */
  abandon(): void {
    if (this.closed) return;
    this.commits.abandon();
    this.letGo();
  }

  private letGo(): void {
    this.closed = true;
    this.statements.clear();
    this.changes?.end();
    this.db.close();
    this.commits.checkpoints.databaseClosed();
    this.release();
  }
}

const pathIn = (folder: string): string => join(folder, 'data.sqlite');
