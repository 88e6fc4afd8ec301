import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Collection, Doc } from '@svc/document-store';
import type { Message } from '../authorities/authority.ts';

/** The exact bytes of one direction of one call. `_id` is `<message id>.sent` or `.received`; the attempt's events hold id and hash. */
export interface WireEntry extends Doc {
  document_id: string;
  at: string;
  /** `POST https://…`, or the response's status. */
  head: string;
  /** Text when the bytes are UTF-8, else base64. */
  bytes: string;
  encoding: 'utf8' | 'base64';
}

/** The bytes of a message that are hashed: its body, or its URL when it has none. */
export const sentBytes = ({ body, url }: Message): string => body ?? url;

export const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface Of {
  document_id: string;
  message: Message;
  at: string;
}

export const keepSent = (log: Collection<WireEntry>, { document_id, message, at }: Of): Promise<boolean> => {
  const { id, method, url, body = '' } = message;
  return log.insert({ _id: `${id}.sent`, version: 1, document_id, at, head: `${method} ${url}`, bytes: body, encoding: 'utf8' });
};

export function keepReceived(
  log: Collection<WireEntry>,
  { document_id, message, at }: Of,
  status: number | null,
  received: Buffer,
): Promise<boolean> {
  const encoding = isUtf8(received) ? 'utf8' : 'base64';
  const bytes = received.toString(encoding);
  return log.insert({ _id: `${message.id}.received`, version: 1, document_id, at, head: String(status), bytes, encoding });
}
