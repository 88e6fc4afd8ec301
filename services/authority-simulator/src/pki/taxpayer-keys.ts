import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Book } from '../wires/book.ts';

/** Keys of one taxpayer that are remembered, the newest first. */
const MOST_KEYS = 20;

/** Remembers the key of a certificate that a taxpayer was issued or shows: a code that was made with it holds also after the certificate was renewed. */
export function rememberKey(registry: Book, taxId: string, key: KeyObject): void {
  const pem = key.export({ type: 'spki', format: 'pem' }) as string;
  const known = registry.value<string[]>('keys', taxId) ?? [];
  if (known.includes(pem)) return;
  registry.setValue('keys', taxId, [pem, ...known].slice(0, MOST_KEYS));
}

export const keysOf = (registry: Book, taxId: string): KeyObject[] =>
  (registry.value<string[]>('keys', taxId) ?? []).map((pem) => createPublicKey(pem));
