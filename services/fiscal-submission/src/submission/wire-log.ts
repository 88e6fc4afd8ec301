import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import type { Collection, Doc } from '@svc/document-store';
import type { Message } from './authority.ts';

/** The exact bytes of one direction of one call. `_id` is `<message id>.sent` or `.received`, in the order of time; the attempt's events hold id and hash. */
export interface WireEntry extends Doc {
  document_id: string;
  at: string;
  /** `POST https://…`, or the response's status. */
  head: string;
  /** Text when the bytes are UTF-8, else base64; larger ones compressed, in base64. */
  bytes: string;
  encoding: 'utf8' | 'base64' | 'zstd';
}

/** From so many bytes on they are compressed: a document is sent again with every attempt, and its lines resemble each other. */
const LARGE = 4_096;
const compress = promisify(zstdCompress);

async function encoded(bytes: Buffer): Promise<Pick<WireEntry, 'bytes' | 'encoding'>> {
  if (bytes.length >= LARGE) return { bytes: (await compress(bytes)).toString('base64'), encoding: 'zstd' };
  const encoding = isUtf8(bytes) ? 'utf8' : 'base64';
  return { bytes: bytes.toString(encoding), encoding };
}

/** The bytes of a message that are hashed: its body, or its URL when it has none. */
export const sentBytes = ({ body, url }: Message): string => body ?? url;

export const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface Of {
  document_id: string;
  message: Message;
  at: string;
}

export async function keepSent(log: Collection<WireEntry>, { document_id, message, at }: Of): Promise<void> {
  const { id, method, url, body = '' } = message;
  await log.insert({ _id: `${id}.sent`, version: 1, document_id, at, head: `${method} ${url}`, ...(await encoded(Buffer.from(body))) });
}

export async function keepReceived(
  log: Collection<WireEntry>,
  { document_id, message, at }: Of,
  status: number | null,
  received: Buffer,
): Promise<void> {
  await log.insert({ _id: `${message.id}.received`, version: 1, document_id, at, head: String(status), ...(await encoded(received)) });
}
