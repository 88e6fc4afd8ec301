import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Collection, Doc } from '@svc/document-store';
import type { Peer } from '../sending/peer.ts';
import type { Message } from './authority.ts';
import type { Reply } from './send.ts';

/** The exact bytes of one direction of one call. `_id` is `<message id>.sent` or `.received`, in the order of time; the attempt's events hold id and hash. */
export interface WireEntry extends Doc {
  document_id: string;
  at: string;
  /** `POST https://…`, or the response's status. */
  head: string;
  /** Text when the bytes are UTF-8, else base64; larger ones compressed, in base64. */
  bytes: string;
  encoding: 'utf8' | 'base64' | 'zstd';
  /** Of an answer: the certificate that its server has shown. Absent: the connection had none, and in rows written before 0.2 (until 0.3). */
  peer?: Peer;
}

/** From so many bytes on they are compressed: a document is sent again with every attempt, and its lines resemble each other. */
const LARGE = 4_096;
/** What an entry takes besides, in bytes. */
const ENTRY = 300;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

async function encoded(bytes: Buffer): Promise<Pick<WireEntry, 'bytes' | 'encoding'>> {
  if (bytes.length >= LARGE) return { bytes: (await compress(bytes)).toString('base64'), encoding: 'zstd' };
  const encoding = isUtf8(bytes) ? 'utf8' : 'base64';
  return { bytes: bytes.toString(encoding), encoding };
}

/** The bytes as they were sent or received. */
export async function wireBytes({ bytes, encoding }: Pick<WireEntry, 'bytes' | 'encoding'>): Promise<Buffer> {
  if (encoding === 'utf8') return Buffer.from(bytes);
  const read = Buffer.from(bytes, 'base64');
  return encoding === 'zstd' ? decompress(read) : read;
}

/** The bytes of a message that are hashed: its body, or its URL when it has none. */
export const sentBytes = ({ body, url }: Message): string => body ?? url;

export const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface Of {
  document_id: string;
  message: Message;
  at: string;
}

/** The entry of one direction of a call, by its message id; undefined: it was not kept, or not any more. */
export const wireEntry = (log: Pick<Collection<WireEntry>, 'get'>, messageId: string, direction: 'sent' | 'received') =>
  log.get(`${messageId}.${direction}`);

/** The bytes of a sent message that were hashed: its URL where it has no body. */
export async function hashedBytes(sent: WireEntry): Promise<Buffer> {
  const bytes = await wireBytes(sent);
  return bytes.length > 0 ? bytes : Buffer.from(sent.head.slice(sent.head.indexOf(' ') + 1));
}

/** Returns how many bytes it stores. */
export async function keepSent(log: Collection<WireEntry>, { document_id, message, at }: Of): Promise<number> {
  const { id, method, url, body = '' } = message;
  return keep(log, { _id: `${id}.sent`, version: 1, document_id, at, head: `${method} ${url}`, ...(await encoded(Buffer.from(body))) });
}

/** The same for what came back. */
export async function keepReceived(
  log: Collection<WireEntry>,
  { document_id, message, at }: Of,
  { status, peer }: Pick<Reply, 'status' | 'peer'>,
  received: Buffer,
): Promise<number> {
  const of = { document_id, at, head: String(status), ...(peer && { peer }) };
  return keep(log, { _id: `${message.id}.received`, version: 1, ...of, ...(await encoded(received)) });
}

async function keep(log: Collection<WireEntry>, entry: WireEntry): Promise<number> {
  await log.insert(entry);
  return Buffer.byteLength(entry.bytes) + ENTRY;
}
