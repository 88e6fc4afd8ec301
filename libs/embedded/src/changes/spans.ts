/** A position in a WAL: behind so many of its frames. */
export interface WalPosition {
  salts: string;
  frames: number;
}

/** Frames that follow each other in a WAL, at most some MiB of them. */
export interface Span {
  /** A whole second, in milliseconds since 1970: with this span all changes are there that were committed before it. Undefined: a later span has it. */
  at?: number;
  /** Its first frame, counted from 0. */
  from: number;
  /** Behind its last one. */
  position: WalPosition;
}

interface KeptSpan extends Span {
  /** Once the WAL may start anew. */
  bytes?: Buffer;
}

/** Spans that wait to be taken, the oldest first. Their frames are in the WAL, or in memory within a bound. */
export class Spans {
  private spans: KeptSpan[] = [];
  private bytes = 0;
  /** The last one that was pushed ends a second. */
  lastHasTime = true;

  /** `most`: bytes in memory. */
  constructor(private readonly most: number) {}

  get first(): Readonly<KeptSpan> | undefined {
    return this.spans[0];
  }

  push(span: Span): void {
    this.lastHasTime = span.at !== undefined;
    this.spans.push(span);
  }

  /** The oldest one was taken. */
  done(span: Span): void {
    if (span === this.spans[0]) this.bytes -= this.spans.shift()?.bytes?.length ?? 0;
  }

  clear(): void {
    this.spans = [];
    this.bytes = 0;
    this.lastHasTime = true;
  }

  /** Whether frames of so many bytes are too many. */
  isTooMuch(bytes: number): boolean {
    return this.bytes + bytes > this.most;
  }

  /** Reads into memory what is not there yet, beside `done`. False: it is too much. Throws where the WAL cannot be read. */
  async keepAll(read: (span: Span) => Promise<Buffer>): Promise<boolean> {
    for (const span of [...this.spans]) {
      if (span.bytes || !this.spans.includes(span)) continue;
      const bytes = await read(span);
      if (!this.spans.includes(span)) continue; // taken meanwhile
      if (this.isTooMuch(bytes.length)) return false;
      this.keep(span, bytes);
    }
    return true;
  }

  /** As `keepAll`, in this thread and without a bound. */
  keepAllNow(read: (span: Span) => Buffer): void {
    for (const span of this.spans) this.keep(span, read(span));
  }

  private keep(span: KeptSpan, bytes: Buffer): void {
    span.bytes = bytes;
    this.bytes += bytes.length;
  }
}
