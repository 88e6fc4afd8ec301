import { closeSync, openSync, readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, crc32, zstdCompress, zstdDecompressSync } from 'node:zlib';
import type { ChangedPages, WalPosition } from '@svc/embedded';

/** Pages of a database with what they are for. A file of the continuous copy has one behind the other, each whole or the last of its file. */
export interface Header {
  /** Names an unbroken chain of records. */
  chain: string;
  /** 1, 2, 3 … in the chain. */
  n: number;
  /** A whole second, in milliseconds since 1970: with this record all is there that was committed before it. Absent: a later record has it. */
  at?: number;
  /** Of the seconds between this one and `at` it is not known which of the changes they had: a process was killed. */
  since?: number;
  /** Where the record ends in the WAL. */
  position: WalPosition;
  /** Pages of the database after the last commit; 0: as before. */
  total: number;
  /** Files beside the database that have changed, in base64; '': one that is gone. */
  files?: Record<string, string>;
}

interface Stored extends Header {
  pageSize: number;
  /** Of the compressed pages. */
  bytes: number;
  crc: number;
}

const MARK = Buffer.from('svcpages');
const PREFIX = MARK.length + 4;
const MOST_HEADER_BYTES = 1_048_576;
const compress = promisify(zstdCompress);
/** With fewer and larger pieces of output than by default, each of which is a turn of the event loop. */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 262_144 };

/** Encodes one record at a time: memory outside of the heap that is taken and left for each makes the heap be collected more often. */
export function recordEncoder() {
  let scratch = Buffer.alloc(0);

  /** The count of pages, their numbers, then the pages themselves. */
  function joined(pages: ChangedPages['pages'], pageSize: number): Buffer {
    const length = 4 + pages.size * (4 + pageSize);
    if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(length);
    scratch.writeUInt32BE(pages.size);
    [...pages].forEach(([number, page], n) => {
      scratch.writeUInt32BE(number, 4 + 4 * n);
      page.copy(scratch, 4 + 4 * pages.size + pageSize * n);
    });
    return scratch.subarray(0, length);
  }

  /** The bytes of a record. Not to be called before the last call has resolved. */
  return async (header: Header, { pages }: ChangedPages, pageSize: number): Promise<Buffer> => {
    const packed = await compress(joined(pages, pageSize), FAST);
    const stored: Stored = { ...header, pageSize, bytes: packed.length, crc: crc32(packed) };
    const text = Buffer.from(JSON.stringify(stored));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([MARK, length, text, packed]);
  };
}

/** A record of a file. */
export interface Found {
  header: Header;
  path: string;
  pageSize: number;
  /** Throws where they are damaged. */
  pages(): Map<number, Buffer>;
}

/** The whole records of a file, in order, up to the first that is not. */
export async function recordsOf(path: string): Promise<Found[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const found: Found[] = [];
    for (let at = 0; ;) {
      const stored = await headerAt(file, at, size);
      if (!stored) return found;
      const begin = at + PREFIX + stored.length;
      const { bytes, crc, pageSize, ...header } = stored.header;
      if (begin + bytes > size) return found;
      found.push({ header, path, pageSize, pages: () => pagesOf(readIn(path, begin, bytes), { crc, pageSize, path }) });
      at = begin + bytes;
    }
  } finally {
    await file.close();
  }
}

async function headerAt(file: FileHandle, at: number, size: number): Promise<{ header: Stored; length: number } | undefined> {
  if (at + PREFIX > size) return undefined;
  const { buffer: prefix } = await file.read(Buffer.alloc(PREFIX), 0, PREFIX, at);
  if (!prefix.subarray(0, MARK.length).equals(MARK)) return undefined;
  const length = prefix.readUInt32BE(MARK.length);
  if (length > MOST_HEADER_BYTES || at + PREFIX + length > size) return undefined;
  const { buffer: text } = await file.read(Buffer.alloc(length), 0, length, at + PREFIX);
  try {
    return { header: JSON.parse(text.toString()) as Stored, length };
  } catch {
    return undefined; // what a power cut has left
  }
}

function readIn(path: string, at: number, bytes: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const found = Buffer.alloc(bytes);
    readSync(file, found, 0, bytes, at);
    return found;
  } finally {
    closeSync(file);
  }
}

function pagesOf(packed: Buffer, { crc, pageSize, path }: { crc: number; pageSize: number; path: string }): Map<number, Buffer> {
  if (crc32(packed) !== crc) throw new Error(`${path} is damaged`);
  const bytes = zstdDecompressSync(packed);
  const count = bytes.readUInt32BE(0);
  const first = 4 + 4 * count;
  const pages = new Map<number, Buffer>();
  for (let n = 0; n < count; n += 1)
    pages.set(bytes.readUInt32BE(4 + 4 * n), bytes.subarray(first + n * pageSize, first + (n + 1) * pageSize));
  return pages;
}
