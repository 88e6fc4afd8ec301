import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { createFairQueue, DomainError } from '@svc/kernel';

/** Bytes of UTF-8. A longer response is stored compressed. */
const LARGE = 64 * 1024;
/** Bytes of UTF-8 of the largest response that is stored: 8 Mi characters of at most 3 bytes. */
const MOST_BYTES = 24 * 1024 * 1024;
/** One step of zlib in its thread. */
const CHUNK = 256 * 1024;
/** Each is a request in flight. */
const WAITING = { waitingInAll: 1_000, waitingPerAccount: 200, known: 1_000 };

const [compress, decompress] = [promisify(zstdCompress), promisify(zstdDecompress)];

export const decompressed = async (bytes: Uint8Array): Promise<string> =>
  (await decompress(bytes, { chunkSize: CHUNK, maxOutputLength: MOST_BYTES })).toString('utf8');

export const isLarge = (body: string): boolean => body.length > LARGE / 3 && Buffer.byteLength(body) > LARGE;

export interface Compressed<Of> {
  bytes: Uint8Array;
  /** What the response is besides its body. */
  of: Of;
}

/**
 * Compresses responses, and decompresses what it has compressed. One at a time in a process, in a thread of Node's pool: next is the account with the
 * fewest bytes so far, so that nobody waits for more than the response under way and those of accounts that had less.
 */
export interface Compression {
  /** Throws service_unavailable where too many wait. */
  compress(account: string, body: string): Promise<Buffer>;
  /** Calls `read` in its turn, so that what waits holds no response. undefined: there is nothing any more. Throws service_unavailable where too many wait. */
  decompress<Of>(account: string, read: () => Promise<Compressed<Of> | undefined>): Promise<{ body: string; of: Of } | undefined>;
}

export function createCompression(): Compression {
  const waiting = createFairQueue<() => void>(WAITING);
  let busy = false;

  async function inTurn<T>(account: string, work: () => Promise<{ result: T; bytes: number }>): Promise<T> {
    if (busy && !(await new Promise<boolean>((resolve) => waiting.add(account, () => resolve(true)) || resolve(false)))) throw tooMany();
    busy = true;
    let bytes = 0;
    try {
      const done = await work();
      bytes = done.bytes;
      return done.result;
    } finally {
      waiting.charge(account, bytes);
      const next = waiting.take();
      busy = next !== undefined;
      next?.job();
    }
  }

  return {
    compress: (account, body) =>
      inTurn(account, async () => {
        const plain = Buffer.from(body);
        return { result: await compress(plain, { chunkSize: CHUNK }), bytes: plain.length };
      }),
    decompress: (account, read) =>
      inTurn(account, async () => {
        const compressed = await read();
        if (compressed === undefined) return { result: undefined, bytes: 0 };
        const body = await decompressed(compressed.bytes);
        return { result: { body, of: compressed.of }, bytes: body.length };
      }),
  };
}

const tooMany = (): DomainError =>
  new DomainError('service_unavailable', 'Too many large answers are being stored or read. Try again.', undefined, 1);
