import { createHash, hash } from 'node:crypto';

/** SHA-256 of method, path and body bytes. A repeat must have the same one. */
export function fingerprint(method: string, path: string, body: Uint8Array | undefined): string {
  const digest = createHash('sha256').update(`${method} ${path}\n`);
  if (body !== undefined) digest.update(body);
  return digest.digest('base64url');
}

/** The row's id. Keys are separate for each account and environment (`scope`). */
export const rowId = (scope: string, key: string): string => hash('sha256', `${scope}\n${key}`, 'base64url');
