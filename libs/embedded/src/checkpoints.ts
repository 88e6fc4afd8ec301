import { closeSync, fstatSync, openSync } from 'node:fs';
import { checkpoint, type LastStep } from './checkpoint.ts';
import { endProcess, isSyncFailure } from './failed-sync.ts';
import type { WalChanges } from './changes/wal-changes.ts';
import { scrub, type Scrubbed } from './scrub.ts';
import { systemClock } from '@svc/kernel';

export interface CheckpointsOptions {
  /** The database file. */
  path: string;
  /** What a write or a scrub rejects with in place of SQLite's error. */
  errorOf?(error: unknown): unknown;
  /** A checkpoint failed; it is tried again when the WAL has grown. */
  checkpointFailed?(error: Error): void;
  /** Readers of another process still keep the WAL, which has so many bytes, from being emptied; called at each try. */
  walHeld?(bytes: number): void;
  /** What a copy of the database takes from the WAL before it starts anew. */
  changes?: WalChanges | undefined;
}

/** The writes that checkpoints take turns with. */
interface Commits {
  /** Runs `work` between two commits, when the former is synced. Not once the database is closed. */
  atRest(work: () => Promise<void>): Promise<void>;
  /** Writes may go on that waited for a checkpoint. */
  resume(): void;
}

const WAL_BYTES = 16 * 1_048_576;
/** Size at which writes wait for the checkpoint that is under way, unless a reader kept the last one from ending. */
const MOST_WAL_BYTES = 64 * 1_048_576;
const SQLITE_BUSY = 5;
const isBusy = (error: unknown): boolean => ((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY;

/** When the WAL is copied into the database and emptied, and free space is scrubbed: in a worker, taking turns with the commits. */
export class Checkpoints {
  private checkpointing = false;
  private isOver = false;
  /** The WAL has all the size that it may have; writes wait for the checkpoint. */
  isFull = false;
  private readonly held = new HeldWal();
  /** Size of the WAL at which the next checkpoint begins. */
  private largest = WAL_BYTES;
  /** Copies of the database that are under way on this connection; one begins again when another connection writes. */
  private copies = 0;
  /** The database file, once it was scrubbed. */
  private file: number | undefined;

  /** `wal`: its file; undefined where nothing is synced, and SQLite makes the checkpoints. */
  constructor(
    private readonly commits: Commits,
    private readonly wal: number | undefined,
    private readonly options: CheckpointsOptions,
  ) {}

  /** The size of the WAL, and whether readers of another process keep it from being emptied. */
  get state(): Readonly<{ bytes: number; isHeld: boolean }> {
    return { bytes: this.wal === undefined || this.isOver ? 0 : fstatSync(this.wal).size, isHeld: this.held.isHeld };
  }

  /** After a commit is synced. */
  beginIfLarge(): void {
    const { bytes } = this.state;
    if (this.checkpointing) this.isFull = !this.held.waits && bytes >= MOST_WAL_BYTES;
    if (!this.checkpointing && !this.held.waits && bytes >= this.largest) this.checkpoint();
  }

  private checkpoint(): void {
    if (this.isOver || this.checkpointing) return;
    this.checkpointing = true;
    // A WAL that starts anew keeps its size, since growing makes syncs slower; it is cut when it has grown far beyond it.
    const last = (): LastStep => ({
      mode: this.copies === 0 && this.state.bytes > 2 * WAL_BYTES ? 'TRUNCATE' : 'RESTART',
      first: this.copies > 0 ? 'writer' : 'worker',
    });
    const over = (growth: number): void => {
      this.checkpointing = false;
      this.isFull = false;
      if (this.isOver) return;
      this.largest = Math.max(WAL_BYTES, this.state.bytes + growth);
      this.commits.resume();
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

  /** `work` starts the WAL anew. */
  private atRest(work: () => Promise<void>): Promise<void> {
    const { changes } = this.options;
    if (!changes) return this.commits.atRest(work);
    return this.commits.atRest(async () => {
      await changes.beforeStart();
      await work().finally(() => changes.afterStart());
    });
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
    if (this.isOver) return;
    this.held.gaveUp(() => this.checkpoint());
    if (this.held.isHeld) this.options.walHeld?.(this.state.bytes);
  }

  /**
   * Scrubs some pages between two commits, and empties the WAL. Undefined: not now, since the database is being copied or checkpointed, or is read by
   * another process. Throws SQLite's error.
   */
  async scrub(from: number, pages: number): Promise<Scrubbed | undefined> {
    // Writes wait while it empties the WAL: a large one is copied by a checkpoint, beside them.
    this.beginIfLarge();
    if (this.copies > 0 || this.checkpointing || this.held.waits || this.isOver)
      return new Promise((resolve) => setImmediate(resolve, undefined));
    this.checkpointing = true;
    this.file ??= openSync(this.options.path, 'r+');
    const slice = { path: this.options.path, file: this.file, from, pages };
    try {
      let scrubbed: Scrubbed | undefined;
      await this.atRest(async () => void (scrubbed = await scrub(slice)));
      return scrubbed;
    } catch (error) {
      if (isSyncFailure(error)) endProcess(this.options.path, error as Error);
      if (!isBusy(error)) throw this.options.errorOf?.(error) ?? error;
      this.giveUp();
      return undefined;
    } finally {
      this.checkpointing = false;
      this.isFull = false;
      if (!this.isOver) this.commits.resume();
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

  /** The database is being closed: nothing begins any more. */
  end(): void {
    this.isOver = true;
    this.held.ended();
  }
}

/** Until the second try; each later one waits twice as long. */
const FIRST_MS = 1_000;
const MOST_MS = 30_000;

/** When to try a checkpoint again that a reader kept from ending. */
class HeldWal {
  private tries = 0;
  private cancel: () => void = () => undefined;

  /** A try has failed, and none has succeeded since. */
  get waits(): boolean {
    return this.tries > 0;
  }

  /** Two tries have failed, a second apart: the reader is not one that reads a row and leaves. */
  get isHeld(): boolean {
    return this.tries > 1;
  }

  /** Calls `again` later: by a timer, since the reader may leave when nothing is written any more. */
  gaveUp(again: () => void): void {
    this.cancel();
    this.cancel = systemClock.after(Math.min(MOST_MS, FIRST_MS * 2 ** this.tries), again);
    this.tries += 1;
  }

  ended(): void {
    this.cancel();
    this.tries = 0;
  }
}
