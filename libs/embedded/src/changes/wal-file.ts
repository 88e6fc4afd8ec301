import { readSync, read } from 'node:fs';
import { promisify } from 'node:util';

// The file of a WAL: https://www.sqlite.org/fileformat2.html#walformat

const [HEADER, FRAME_HEADER] = [32, 24];
const readAt = promisify(read);

/** Identifies what a WAL holds: it changes whenever the file starts anew. '' for an empty file. */
export function saltsOf(file: number): string {
  const salts = Buffer.alloc(8);
  return readSync(file, salts, 0, 8, 16) === 8 ? salts.toString('hex') : '';
}

/** Bytes of so many frames. */
export const bytesOf = (pageSize: number, frames: number): number => frames * (FRAME_HEADER + pageSize);

const rangeOf = (pageSize: number, from: number, to: number): { at: number; bytes: number } => {
  return { at: HEADER + bytesOf(pageSize, from), bytes: bytesOf(pageSize, to - from) };
};

/** The frames `[from, to)`, counted from 0, with their headers, at the beginning of `into`, which has space for them. Throws where the file ends before. */
export async function readFrames(file: number, pageSize: number, from: number, to: number, into?: Buffer): Promise<Buffer> {
  const { at, bytes } = rangeOf(pageSize, from, to);
  const frames = into?.subarray(0, bytes) ?? Buffer.allocUnsafe(bytes);
  const { bytesRead } = await readAt(file, frames, 0, bytes, at);
  return whole(frames, bytesRead);
}

/** As `readFrames`, in this thread. */
export function readFramesNow(file: number, pageSize: number, from: number, to: number): Buffer {
  const { at, bytes } = rangeOf(pageSize, from, to);
  const frames = Buffer.allocUnsafe(bytes);
  return whole(frames, readSync(file, frames, 0, bytes, at));
}

function whole(frames: Buffer, read: number): Buffer {
  if (read < frames.length) throw new Error(`the WAL ends ${frames.length - read} bytes early`);
  return frames;
}

export interface ChangedPages {
  /** By number, counted from 1: as the last of the frames has it. */
  pages: Map<number, Buffer>;
  /** How many the database has after the last commit among the frames; 0: none ends among them. */
  total: number;
}

/** The pages that frames change. They refer to the bytes of `frames`. */
export function changedPages(frames: Buffer, pageSize: number): ChangedPages {
  const pages = new Map<number, Buffer>();
  let total = 0;
  for (let at = 0; at < frames.length; at += FRAME_HEADER + pageSize) {
    pages.set(frames.readUInt32BE(at), frames.subarray(at + FRAME_HEADER, at + FRAME_HEADER + pageSize));
    total = frames.readUInt32BE(at + 4) || total;
  }
  return { pages, total };
}
