import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

const IV = 12;
const TAG = 16;

/** AES-256-GCM; returns base64 of nonce, tag and ciphertext. `context` is authenticated: with another it cannot be decrypted. */
export function encrypt(plain: string, key: KeyObject, context: string): string {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
}

/** Throws when the key, the context or a byte differs. */
export function decrypt(ciphertext: string, key: KeyObject, context: string): string {
  const bytes = Buffer.from(ciphertext, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV), { authTagLength: TAG })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(IV, IV + TAG));
  return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8');
}
