import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Collection } from '@svc/document-store';
import type { Export, Piece, Zip } from './export.ts';
import { zipEnd } from '@svc/service/files/zip';

/** Bytes of one piece: what a reader holds. */
const PIECE = 256 * 1024;
const WRITTEN_AT_ONCE = 4;
/** Deleted at once. */
const AT_ONCE = 200;
/** Pieces that a step may have written before a crash that its export does not count: those of its largest file. */
const MOST_UNCOUNTED = 128;

type Part = 'f' | 'd';
const idOf = (of: string, part: Part, n: number): string => `${of}.${part}${n}`;

/** What a step has made: bytes of files, and their records of the directory. */
export interface Made {
  files: Buffer;
  records: Buffer;
}

/**
 * Stores what follows in a ZIP, and returns how far it is then. The caller stores that in the export afterwards: what a crash leaves behind is written over by the next
 * step, whose `version` is higher, and never by an earlier process.
 */
export async function addPieces(
  pieces: Collection<Piece>,
  { _id: of, version, zip }: Pick<Export, '_id' | 'version' | 'zip'>,
  { files, records }: Made,
): Promise<Pick<Zip, 'pieces' | 'bytes' | 'records' | 'directory'>> {
  const putsOf = (part: Part, from: number, bytes: Buffer): { put: Piece }[] =>
    Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, n) => ({
      put: { _id: idOf(of, part, from + n), version, bytes: bytes.subarray(n * PIECE, (n + 1) * PIECE).toString('base64') },
    }));
  const [ofFiles, ofDirectory] = [putsOf('f', zip.pieces, files), putsOf('d', zip.records, records)];
  const puts = [...ofFiles, ...ofDirectory];
  for (let n = 0; n < puts.length; n += WRITTEN_AT_ONCE) await pieces.write(puts.slice(n, n + WRITTEN_AT_ONCE));
  return {
    ...{ pieces: zip.pieces + ofFiles.length, bytes: zip.bytes + files.length },
    ...{ records: zip.records + ofDirectory.length, directory: zip.directory + records.length },
  };
}

export async function removePieces(pieces: Collection<Piece>, { _id: of, zip }: Pick<Export, '_id' | 'zip'>): Promise<void> {
  const remove = async (part: Part, count: number): Promise<void> => {
    for (let n = 0; n < count + MOST_UNCOUNTED; n += AT_ONCE) {
      const ids = Array.from({ length: Math.min(AT_ONCE, count + MOST_UNCOUNTED - n) }, (_, k) => idOf(of, part, n + k));
      await pieces.write(ids.map((id) => ({ delete: id })));
    }
  };
  await remove('f', zip.pieces);
  await remove('d', zip.records);
}

/** Bytes of the whole ZIP. */
export const sizeOf = ({ bytes, directory }: Zip): number => bytes + directory + zipEnd({ files: 0, directory: 0, offset: 0 }).length;

/** The ZIP, piece by piece as it is read. It breaks off where a piece has gone meanwhile. */
export function readZip(pieces: Collection<Piece>, { _id: of, zip }: Pick<Export, '_id' | 'zip'>): Readable {
  async function* each(part: Part, count: number): AsyncGenerator<Buffer> {
    for (let n = 0; n < count; n += 1) {
      const piece = await pieces.get(idOf(of, part, n));
      if (!piece) throw new Error(`a piece of ${of} has gone`);
      yield Buffer.from(piece.bytes, 'base64');
      await setImmediate();
    }
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield* each('f', zip.pieces);
    yield* each('d', zip.records);
    yield zipEnd({ files: zip.files, directory: zip.directory, offset: zip.bytes });
  }
  return Readable.from(whole(), { highWaterMark: 1 });
}
