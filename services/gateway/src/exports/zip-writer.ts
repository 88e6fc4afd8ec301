import type { Zip } from './export.ts';
import type { Made } from './pieces.ts';
import { crcOf, deflatedPart, directoryRecord, fileEnd, fileHeader, STREAM_END } from '@svc/service/files/zip';

/** Goes on with a ZIP where it stands. What is made is held until it is taken. */
export interface ZipWriter {
  begin(name: string): void;
  /** Adds to the file that was begun. */
  add(part: Uint8Array): Promise<void>;
  end(name: string): void;
  /** Bytes that are held. */
  held(): number;
  /** What was made since the last time, and how far the ZIP is with it, pieces apart. */
  take(): { made: Made; zip: Pick<Zip, 'files' | 'open'> };
}

/** `at`: the time that its files have, in milliseconds since 1970. */
export function createZipWriter({ bytes, files: before, open: begun }: Pick<Zip, 'bytes' | 'files' | 'open'>, at: number): ZipWriter {
  let [parts, records]: [Buffer[], Buffer[]] = [[], []];
  let [offset, files, open, held] = [bytes, before, begun, 0];
  const put = (part: Buffer): void => {
    parts.push(part);
    held += part.length;
    offset += part.length;
  };
  return {
    begin(name) {
      open = { offset, crc: 0, packed: 0, size: 0 };
      put(fileHeader(name, at));
    },
    async add(part) {
      if (!open) throw new Error('no file was begun');
      const packed = await deflatedPart(part);
      put(packed);
      open = { ...open, crc: crcOf(part, open.crc), packed: open.packed + packed.length, size: open.size + part.length };
    },
    end(name) {
      if (!open) throw new Error('no file was begun');
      put(STREAM_END);
      const entry = { ...open, name, packed: open.packed + STREAM_END.length };
      put(fileEnd(entry));
      records.push(directoryRecord(entry, at));
      [files, open] = [files + 1, null];
    },
    held: () => held,
    take() {
      const made = { files: Buffer.concat(parts), records: Buffer.concat(records) };
      [parts, records, held] = [[], [], 0];
      return { made, zip: { files, open } };
    },
  };
}
