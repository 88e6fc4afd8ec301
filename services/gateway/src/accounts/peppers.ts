import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Collection, Doc } from '@svc/document-store';
import type { KeyRing } from '@svc/service';

/** `_id` is the version, counted from 1. */
export interface PepperRow extends Doc {
  sealed: string;
}

/** Turns a key's value into what is stored of it: `<version>.<HMAC-SHA-256, base64url>`. */
export interface Peppers {
  /** Under the newest pepper: for what is stored now. */
  hash(value: string): string;
  /** Under every pepper, newest first: for looking up what was stored at any time. */
  hashes(value: string): string[];
}

const MOST_VERSIONS = 16;

/**
 * Reads the peppers, sealed by the key ring; makes the first one when there is none. All processes end up with the same. Throws when the
 * ring is not the one that sealed them, which would refuse every API key.
 */
export async function loadPeppers(rows: Collection<PepperRow>, secrets: KeyRing): Promise<Peppers> {
  await rows.insert({ _id: '1', version: 1, sealed: secrets.encrypt(randomBytes(32)) });
  const known: { version: string; key: KeyObject }[] = [];
  for (let version = 1; version <= MOST_VERSIONS; version += 1) {
    const row = await rows.get(String(version));
    if (row === undefined) break;
    known.unshift({ version: row._id, key: createSecretKey(opened(row, secrets)) });
  }
  const under = ({ version, key }: { version: string; key: KeyObject }, value: string): string =>
    `${version}.${createHmac('sha256', key).update(value).digest('base64url')}`;
  return {
    hash: (value) => under(newest(known), value),
    hashes: (value) => known.map((pepper) => under(pepper, value)),
  };
}

function opened({ _id, sealed }: PepperRow, secrets: KeyRing): Buffer {
  try {
    return secrets.decrypt(sealed);
  } catch (cause) {
    const what = `SECRETS_KEY does not open what this database holds (pepper ${_id}): it was sealed under another key`;
    throw new Error(`${what}. Start with that key in the ring, or with a database of its own.`, { cause });
  }
}

function newest<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error('there is no pepper');
  return first;
}
