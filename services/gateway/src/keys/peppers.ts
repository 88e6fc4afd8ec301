import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Collection, Doc } from '@svc/document-store';
import type { KeyRing } from '@svc/service';

/** `_id` is the version, counted from 1. */
export interface PepperRow extends Doc {
  sealed: string;
}

/** The collection of peppers. Ciphertexts are bound to it by its name. */
export const PEPPERS = 'peppers';

/** Hashes key values for storage: `<version of the pepper>.<HMAC-SHA-256, base64url>`. */
export interface Peppers {
  /** With the newest pepper: for storing. */
  hash(value: string): string;
  /** With every pepper, newest first: for looking up. */
  hashes(value: string): string[];
}

const MOST_VERSIONS = 16;

/**
 * Reads the peppers, which the key ring encrypts, and creates the first one when there is none. Concurrent starts get the same peppers. Throws
 * when the ring cannot decrypt them: without them every API key would be rejected.
 */
export async function loadPeppers(rows: Collection<PepperRow>, secrets: KeyRing): Promise<Peppers> {
  await rows.insert({ _id: '1', version: 1, sealed: secrets.encrypt(randomBytes(32)) });
  const known: { version: string; key: KeyObject }[] = [];
  for (let version = 1; version <= MOST_VERSIONS; version += 1) {
    const row = await rows.get(String(version));
    if (row === undefined) break;
    known.unshift({ version: row._id, key: createSecretKey(decrypted(row, secrets)) });
  }
  const under = ({ version, key }: { version: string; key: KeyObject }, value: string): string =>
    `${version}.${createHmac('sha256', key).update(value).digest('base64url')}`;
  return {
    hash: (value) => under(newest(known), value),
    hashes: (value) => known.map((pepper) => under(pepper, value)),
  };
}

function decrypted({ _id, sealed }: PepperRow, secrets: KeyRing): Buffer {
  try {
    return secrets.decrypt(sealed, { collection: PEPPERS, id: _id });
  } catch (cause) {
    const what = `SECRETS_KEY does not open what this database holds (pepper ${_id}): it was encrypted under another key`;
    throw new Error(`${what}. Start with that key in the ring, or with a database of its own.`, { cause });
  }
}

function newest<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error('there is no pepper');
  return first;
}
