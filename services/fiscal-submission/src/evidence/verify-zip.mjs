// The files of an evidence bundle: of the ZIP, or of the folder into which it was unpacked. Node 18 or later, without packages.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { inflateRawSync } from 'node:zlib';

/** Bytes of all files: a bundle of 200 attempts has some 300 MB. */
const MOST_BYTES = 2 ** 30;

/**
 * @param {string} path of a ZIP or a folder
 * @returns {Map<string, Buffer>} files by name, with `/` between folders
 */
export const filesIn = (path) => (statSync(path).isDirectory() ? filesOfFolder(path) : filesOfZip(readFileSync(path)));

function filesOfFolder(root) {
  const files = new Map();
  const read = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) read(path);
      else files.set(relative(root, path).split(sep).join('/'), readFileSync(path));
    }
  };
  read(root);
  return files;
}

/** Reads a ZIP by its directory (APPNOTE 6.3, stored or deflated, without Zip64). Throws for another file. */
export function filesOfZip(bytes) {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0 || end + 22 > bytes.length) throw new Error('This is no ZIP, or its end is missing.');
  const files = new Map();
  let left = MOST_BYTES;
  let at = bytes.readUInt32LE(end + 16);
  for (let n = bytes.readUInt16LE(end + 10); n > 0; n -= 1) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error('The directory of the ZIP is broken.');
    const method = bytes.readUInt16LE(at + 10);
    const [packed, size] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    left -= size;
    if (left < 0) throw new Error(`The ZIP holds more than ${MOST_BYTES} bytes.`);
    if (files.has(name)) throw new Error(`${name} is in the ZIP twice.`);
    files.set(name, contentOf(bytes, { offset: bytes.readUInt32LE(at + 42), method, packed, size, name }));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

function contentOf(bytes, { offset, method, packed, size, name }) {
  const from = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const data = bytes.subarray(from, from + packed);
  const content = method === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(size, 1) });
  if (content.length !== size) throw new Error(`${name} has ${content.length} bytes instead of ${size}.`);
  return content;
}
