import { createHash } from 'node:crypto';

/** A UUID (its form is that of version 4) that a text gives. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${'89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4]}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
