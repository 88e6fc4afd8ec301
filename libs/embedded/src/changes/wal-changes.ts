import { closeSync, existsSync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { systemClock, type Clock } from '@svc/kernel';
import { Spans, type Span, type WalPosition } from './spans.ts';
import { bytesOf, readFrames, readFramesNow, saltsOf } from './wal-file.ts';

export interface WalChangesOptions {
  /** Where the copy of an earlier process ends. `closed`: with all that the database has, which has no WAL and which no process has written since. Undefined: there is none. */
  since?: WalPosition | 'closed' | undefined;
  /** The last second of that copy, in milliseconds since 1970. */
  at?: number | undefined;
  /** Bytes of frames that are kept in memory. */
  most?: number;
  clock?: Pick<Clock, 'now'>;
}

/** Some 4 MiB. */
const FRAMES_PER_SPAN = 1_000;
const MOST_KEPT_BYTES = 64 * 1_048_576;
const SECOND = 1_000;
/** A clock that is set back by less is waited for. */
const MOST_BACK_MS = 2_000;

/**
 * What was committed, by second, as frames of the WAL: for a copy of the database that continues. It holds no lock. Before the WAL starts anew, the frames that were
 * not taken yet are read into memory; where these are too many, `isBroken` is true, and the copy begins again with a whole one.
 */
export class WalChanges {
  private readonly spans: Spans;
  /** Behind the last span. */
  private position: WalPosition = { salts: '', frames: 0 };
  /** `captured`: all frames were read, and the WAL may start anew with the next commit. */
  private state: 'follows' | 'captured' | 'broken' = 'broken';
  /** The WAL is starting anew. */
  private resting = false;
  /** The second of the last mark; all that was committed before it is in a span. */
  private marked = 0;
  /** After `end`: a process that goes on has `since: 'closed'`. */
  endedComplete = false;
  private file: number | undefined;
  /** For the frames of one span: memory outside of the heap that is taken and left each second makes the heap be collected more often. */
  private buffer: Buffer | undefined;
  private readonly noop: StatementSync;
  private readonly clock: Pick<Clock, 'now'>;
  readonly pageSize: number;
  /** It goes on where the copy of the earlier process ends. */
  readonly continues: boolean;

  /** `leftAt`: when the WAL was written last, in milliseconds since 1970. The WAL is as an earlier process has left it. */
  constructor(
    db: DatabaseSync,
    private readonly path: string,
    leftAt: number,
    { since, at = 0, most = MOST_KEPT_BYTES, clock = systemClock }: WalChangesOptions,
  ) {
    [this.clock, this.spans] = [clock, new Spans(most)];
    this.noop = db.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.pageSize = Number(db.prepare('PRAGMA page_size').get()?.['page_size']);
    this.continues = since !== undefined && !this.isSetBack(Math.max(at, leftAt)) && this.takeLeft(since, leftAt);
  }

  private takeLeft(since: WalPosition | 'closed', leftAt: number): boolean {
    const [salts, frames] = [this.salts(), this.frames()];
    const position = since === 'closed' ? { salts, frames: 0 } : since;
    if (salts !== position.salts || frames < position.frames || this.spans.isTooMuch((frames - position.frames) * this.pageSize))
      return false;
    this.position = position;
    if (since !== 'closed') this.marked = Math.floor(leftAt / SECOND + 1) * SECOND;
    this.add(frames, since === 'closed' ? undefined : this.marked);
    this.spans.keepAllNow((span) => readFramesNow(this.opened(), this.pageSize, span.from, span.position.frames));
    this.state = 'captured';
    return true;
  }

  /** True: changes are missing, so that a copy needs to begin again, by `begin`. */
  get isBroken(): boolean {
    return this.state === 'broken';
  }

  /** Forgets what was not taken: from here on all changes are in spans. False: not now, since the WAL is starting anew. */
  begin(): boolean {
    if (this.resting) return false;
    this.spans.clear();
    this.position = { salts: this.salts(), frames: this.frames() };
    this.marked = 0;
    this.state = 'follows';
    return true;
  }

  /** The clock is far behind a second: since seconds of a copy never go back, nothing could be copied until it is there again. */
  private isSetBack(second: number): boolean {
    return second - this.clock.now() > MOST_BACK_MS;
  }

  /**
   * Ends a second, by default if one has begun since the last call. Returns the second up to which all that was committed is in spans. A clock that was set back breaks the copy.
   * @param second the next one, where nothing is committed any more
   */
  mark(second = Math.floor(this.clock.now() / SECOND) * SECOND): number {
    if (this.isSetBack(this.marked)) this.break();
    if (second <= this.marked || this.resting || this.isBroken) return this.marked;
    if (this.state === 'follows') this.addNew(second);
    if (!this.spans.lastHasTime) this.spans.push({ at: second, from: this.position.frames, position: this.position });
    if (!this.isBroken) this.marked = second;
    return this.marked;
  }

  /** Frames up to the end of the WAL. */
  private addNew(at?: number): void {
    const frames = this.frames();
    if (frames < this.position.frames || this.salts() !== this.position.salts) return this.break();
    this.add(frames, at);
  }

  private add(frames: number, at: number | undefined): void {
    while (this.position.frames < frames) {
      const from = this.position.frames;
      this.position = { ...this.position, frames: Math.min(frames, from + FRAMES_PER_SPAN) };
      this.spans.push({ ...(at !== undefined && this.position.frames === frames && { at }), from, position: this.position });
    }
  }

  /** The oldest span with its frames, which are there until the next call; undefined where there is none. It stays the oldest until `done`. */
  async next(): Promise<{ span: Span; frames: Buffer } | undefined> {
    const span = this.spans.first;
    if (!span) return undefined;
    this.buffer ??= Buffer.allocUnsafeSlow(bytesOf(this.pageSize, FRAMES_PER_SPAN));
    const frames = span.bytes ?? (await this.read(span, this.buffer));
    if (span !== this.spans.first) return undefined; // forgotten meanwhile
    return { span, frames: span.bytes ?? frames }; // what was read may be of the WAL that began meanwhile
  }

  /** The oldest span was taken. */
  done(span: Span): void {
    this.spans.done(span);
  }

  /** True: each committed change is in a span that was taken. */
  get isComplete(): boolean {
    return (
      !this.isBroken &&
      !this.resting &&
      this.spans.first === undefined &&
      this.salts() === this.position.salts &&
      this.frames() === this.position.frames
    );
  }

  /** Before a commit. */
  beforeCommit(): void {
    this.mark();
  }

  /** After a commit. */
  afterCommit(): void {
    if (this.state !== 'captured') return;
    this.findStart();
    if (this.state === 'captured') this.state = 'follows'; // it goes on in the same WAL
  }

  /** Reads what is not taken yet, between two commits: the WAL starts anew next. */
  async beforeStart(): Promise<void> {
    this.resting = true;
    try {
      if (this.state === 'follows') this.addNew();
      if (!(await this.spans.keepAll((span) => this.read(span)))) this.break();
      if (this.state === 'follows') this.state = 'captured';
    } catch {
      this.break();
    }
  }

  /** The WAL was started anew, or could not be. */
  afterStart(): void {
    this.resting = false;
    this.findStart();
  }

  /** Once the WAL may have been started anew. */
  findStart(): void {
    if (this.state !== 'captured') return;
    const salts = this.salts();
    if (salts === this.position.salts) return;
    this.position = { salts, frames: 0 };
    this.state = 'follows';
  }

  /** Before the database is closed, which nothing writes any more. */
  end(): void {
    this.endedComplete = this.isComplete;
    this.resting = true;
    this.break();
    if (this.file !== undefined) closeSync(this.file);
    [this.file, this.buffer] = [undefined, undefined];
  }

  private read({ from, position }: Span, into?: Buffer): Promise<Buffer> {
    return readFrames(this.opened(), this.pageSize, from, position.frames, into);
  }

  private break(): void {
    this.spans.clear();
    this.state = 'broken';
  }

  private frames(): number {
    return Math.max(0, Number(this.noop.get()?.['log'] ?? 0));
  }

  private salts(): string {
    return this.file !== undefined || existsSync(this.path) ? saltsOf(this.opened()) : '';
  }

  /** Closing this file drops no POSIX lock: SQLite has none on it. */
  private opened(): number {
    this.file ??= openSync(this.path, 'r');
    return this.file;
  }
}
