import { crcOf, deflatedPart, directoryRecord, fileEnd, fileHeader, STREAM_END, zipEnd, type ZipEntry } from '@svc/service/files/zip';
import type { EvidenceFile } from './files.ts';

/** A ZIP of files as they are made, each in memory alone. `at`: milliseconds since 1970, the time of its files. */
export async function* zipOf(files: AsyncIterable<EvidenceFile>, at: number): AsyncGenerator<Buffer> {
  const entries: ZipEntry[] = [];
  let offset = 0;
  for await (const { name, bytes } of files) {
    const data = Buffer.concat([await deflatedPart(bytes), STREAM_END]);
    const entry = { name, crc: crcOf(bytes, 0), packed: data.length, size: bytes.length, offset };
    const whole = Buffer.concat([fileHeader(name, at), data, fileEnd(entry)]);
    entries.push(entry);
    offset += whole.length;
    yield whole;
  }
  const directory = Buffer.concat(entries.map((entry) => directoryRecord(entry, at)));
  yield Buffer.concat([directory, zipEnd({ files: entries.length, directory: directory.length, offset })]);
}
