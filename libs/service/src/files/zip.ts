import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { iso } from '@svc/kernel';

const deflate = promisify(deflateRaw);

/** A file of a ZIP: what its record in the directory at the end says of it. Sizes and the offset of its header are bytes below 4 GiB. */
export interface ZipEntry {
  /** Letters, digits and `._-`. */
  name: string;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

/** The most files that a directory counts (APPNOTE 4.3.16, without Zip64). */
export const MOST_FILES = 65_535;
/** Bytes of a ZIP or of a file in it, with some left for the directory. */
export const MOST_SIZE = 4 * 1024 ** 3 - 64 * 1024 ** 2;

const VERSION = 20;
const DEFLATED = 8;
/** The sizes stand behind the data; the name is UTF-8 (APPNOTE 4.4.4, bits 3 and 11). */
const FLAGS = 0x0808;

/** Date and time of MS-DOS, UTC, in steps of two seconds. */
function dosTime(at: number): [time: number, date: number] {
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = iso(at).slice(0, 19).split(/\D/).map(Number);
  return [(hours << 11) | (minutes << 5) | (seconds >> 1), ((year - 1980) << 9) | (month << 5) | day];
}

/** What stands before the data of a file. `at`: milliseconds since 1970, from 1980 on. */
export function fileHeader(name: string, at: number): Buffer {
  const header = Buffer.alloc(30);
  const [time, date] = dosTime(at);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATED, 8);
  header.writeUInt16LE(time, 10);
  header.writeUInt16LE(date, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

/** What stands behind it. */
export function fileEnd({ crc, packed, size }: Pick<ZipEntry, 'crc' | 'packed' | 'size'>): Buffer {
  const end = Buffer.alloc(16);
  end.writeUInt32LE(0x08074b50, 0);
  end.writeUInt32LE(crc, 4);
  end.writeUInt32LE(packed, 8);
  end.writeUInt32LE(size, 12);
  return end;
}

export function directoryRecord({ name, crc, packed, size, offset }: ZipEntry, at: number): Buffer {
  const record = Buffer.alloc(46);
  const [time, date] = dosTime(at);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(VERSION, 4);
  record.writeUInt16LE(VERSION, 6);
  record.writeUInt16LE(FLAGS, 8);
  record.writeUInt16LE(DEFLATED, 10);
  record.writeUInt16LE(time, 12);
  record.writeUInt16LE(date, 14);
  record.writeUInt32LE(crc, 16);
  record.writeUInt32LE(packed, 20);
  record.writeUInt32LE(size, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt32LE(offset, 42);
  return Buffer.concat([record, Buffer.from(name)]);
}

/** What ends a ZIP of so many files, whose directory has `directory` bytes and begins at `offset`. */
export function zipEnd({ files, directory, offset }: { files: number; directory: number; offset: number }): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files, 8);
  end.writeUInt16LE(files, 10);
  end.writeUInt32LE(directory, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

/** A part of a file's data, compressed so that parts that follow each other are one stream (Z_FULL_FLUSH ends each at a byte). */
export const deflatedPart = (part: Uint8Array): Promise<Buffer> => deflate(part, { finishFlush: constants.Z_FULL_FLUSH });

/** What ends the stream: an empty last block (RFC 1951, 3.2.6). */
export const STREAM_END = Buffer.from([0x03, 0x00]);

/** The checksum of a file by its parts: 0 at first, then what the part before gave. */
export const crcOf = (part: Uint8Array, before: number): number => crc32(part, before);
