import { crc32, inflateRawSync } from 'node:zlib';

/** The files of a ZIP by name, read by its directory. Throws where a checksum, a size or a header is wrong. */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.length - 22;
  if (bytes.readUInt32LE(end) !== 0x06054b50) throw new Error('no end of a directory');
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let n = 0; n < bytes.readUInt16LE(end + 10); n += 1) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error(`record ${n} is none`);
    const [crc, packed, size, nameLength, offset] = [
      ...[bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)],
      ...[bytes.readUInt16LE(at + 28), bytes.readUInt32LE(at + 42)],
    ] as [number, number, number, number, number];
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    if (bytes.readUInt32LE(offset) !== 0x04034b50) throw new Error(`${name} has no header`);
    const from = offset + 30 + bytes.readUInt16LE(offset + 26);
    const file = inflateRawSync(bytes.subarray(from, from + packed));
    if (file.length !== size || crc32(file) !== crc || files.has(name)) throw new Error(`${name} is broken, or is there twice`);
    files.set(name, file);
    at += 46 + nameLength;
  }
  return files;
}
