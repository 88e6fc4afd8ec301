import { createCipheriv } from 'node:crypto';
import type { RowOf } from '../key-ring.ts';

/** A ciphertext as release 0.3 writes it, bound to its row. `key`: 32 bytes, that of version 1 of the ring. */
export function boundText(key: Buffer, text: string | Buffer, { collection, id }: RowOf): string {
  const nonce = Buffer.alloc(12, 7);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(JSON.stringify([collection, id])));
  return `v1.row.${Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url')}`;
}
