import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { lockFile } from './file-lock.ts';

const MAGIC = Buffer.from('evlog\0v1');
/** Bytes of length and CRC-32 of a frame. */
const HEADER = 8;
/** Bytes of one read when the file is opened; doubled for longer frames. */
const SCAN_BYTES = 4 * 1024 * 1024;

/**
 * An append-only file of frames: length, CRC-32, payload. A frame torn by a kill fails its checksum and is truncated when the file is
 * opened. Frames of one turn of the event loop, and those that arrive during a write, share one write and one sync.
 */
export class LogFile {
  private pending: Buffer[] = [];
  private waiting: { end: number; done: () => void }[] = [];
  private flushing: Promise<void> | undefined;

  private constructor(
    private readonly file: FileHandle,
    private written: number,
    private readonly unlock: () => void,
  ) {
    this.onDisk = written;
  }

  /** The file is on disk up to this position. */
  onDisk: number;

  /** Opens or creates the file and calls `each` with every whole payload and its position. A payload's bytes are reused after the call. */
  static async open(path: string, each: (payload: Buffer, position: number) => void): Promise<LogFile> {
    const unlock = lockFile(path);
    try {
      const end = recover(path, each);
      return new LogFile(await open(path, 'a+'), end, unlock);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** Position of the payload of the next frame. */
  nextPayload(): number {
    return this.written + HEADER;
  }

  /** Appends a frame; calls `done` once it is on disk. */
  append(payload: Buffer, done: () => void): void {
    const header = Buffer.alloc(HEADER);
    header.writeUInt32BE(payload.length, 0);
    header.writeUInt32BE(crc32(payload), 4);
    this.pending.push(header, payload);
    this.written += HEADER + payload.length;
    this.afterAll(done);
  }

  /** Calls `done` once everything appended so far is on disk. */
  afterAll(done: () => void): void {
    if (this.onDisk === this.written) return done();
    this.waiting.push({ end: this.written, done });
    this.flushing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.flush());
  }

  /** Reads bytes from disk. Throws when the file is shorter. */
  read(position: number, size: number): Buffer {
    const bytes = Buffer.allocUnsafe(size);
    for (let at = 0; at < size;) {
      const got = readSync(this.file.fd, bytes, at, size - at, position + at);
      if (got === 0) throw new Error(`the log file ends before position ${position + size}`);
      at += got;
    }
    return bytes;
  }

  async close(): Promise<void> {
    await this.flushing;
    await this.file.close();
    this.unlock();
  }

  private async flush(): Promise<void> {
    while (this.pending.length > 0) {
      const chunk = Buffer.concat(this.pending);
      this.pending = [];
      const end = this.onDisk + chunk.length;
      await this.file.appendFile(chunk);
      await this.file.datasync();
      this.onDisk = end;
      const ready = this.waiting.findIndex((one) => one.end > end);
      for (const { done } of this.waiting.splice(0, ready < 0 ? this.waiting.length : ready)) done();
    }
    this.flushing = undefined;
  }
}

/** Reads all whole frames, truncates what follows, and returns the end's position. */
function recover(path: string, each: (payload: Buffer, position: number) => void): number {
  const fd = openSync(path, 'a+');
  try {
    const size = fstatSync(fd).size;
    if (size < MAGIC.length) {
      ftruncateSync(fd, 0);
      writeSync(fd, MAGIC);
      fsyncSync(fd);
      syncFolder(dirname(path));
      return MAGIC.length;
    }
    let chunk = Buffer.allocUnsafe(SCAN_BYTES);
    if (readSync(fd, chunk, 0, MAGIC.length, 0) < MAGIC.length || !chunk.subarray(0, MAGIC.length).equals(MAGIC)) {
      throw new Error(`${path} is not an event log`);
    }
    let end = MAGIC.length;
    while (end < size) {
      const got = readSync(fd, chunk, 0, chunk.length, end);
      const used = frames(chunk.subarray(0, got), end, each);
      if (used > 0) end += used;
      else if (end + got < size) chunk = Buffer.allocUnsafe(chunk.length * 2);
      else break;
    }
    if (end < size) {
      ftruncateSync(fd, end);
      fsyncSync(fd);
    }
    return end;
  } finally {
    closeSync(fd);
  }
}

/** Calls `each` with the whole frames at the beginning of `bytes`; returns how many bytes they take. */
function frames(bytes: Buffer, position: number, each: (payload: Buffer, position: number) => void): number {
  let at = 0;
  while (at + HEADER <= bytes.length) {
    const size = bytes.readUInt32BE(at);
    const payload = bytes.subarray(at + HEADER, at + HEADER + size);
    if (payload.length < size || crc32(payload) !== bytes.readUInt32BE(at + 4)) break;
    each(payload, position + at + HEADER);
    at += HEADER + size;
  }
  return at;
}

function syncFolder(path: string): void {
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}
