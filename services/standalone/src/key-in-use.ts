import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '@svc/service/process/start-error';
import { keysOf, type RootKey } from '@svc/service/secrets/service-key-ring';
import { keepPrivately } from './private-files.ts';

/** The file that says which root key encrypts what the folder stores: its name and fingerprint, from which the key cannot be derived. */
export const KEY_IN_USE = 'key-in-use.json';

interface KeyInUse {
  /** `v2 of SECRETS_KEY` */
  name: string;
  fingerprint: string;
}

/** A ring of root keys, with the name of what holds it. The last of several encrypts. */
export interface NamedRing {
  of: string;
  ring: string;
}

const fingerprintOf = (key: Buffer): string => createHmac('sha256', key).update('names this key').digest('base64url').slice(0, 22);

const namesOf = (rings: readonly NamedRing[]): KeyInUse[] =>
  rings.flatMap(({ of, ring }) =>
    keysOf(ring).map(({ version, key }: RootKey) => ({ name: `v${version} of ${of}`, fingerprint: fingerprintOf(key) })),
  );

function noted(folder: string): KeyInUse | undefined {
  const path = join(folder, KEY_IN_USE);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as KeyInUse) : undefined;
}

/** Throws a `StartError` that names the key, where the rings lack the one that encrypted last: what it has encrypted could not be read. */
export function checkKeyInUse(folder: string, rings: readonly NamedRing[]): void {
  const used = noted(folder);
  if (!used || namesOf(rings).some(({ fingerprint }) => fingerprint === used.fingerprint)) return;
  throw new StartError(
    `DATA_DIR ${folder}: the key is missing that its newest data is encrypted with: ${used.name} (fingerprint ${used.fingerprint}). Put it back beside the others; a key can go once ` +
      '`svc admin secrets status` counts nothing for it.',
  );
}

/** Notes which key encrypts from now on, before it does. */
export function noteKeyInUse(folder: string, rings: readonly NamedRing[]): void {
  const now = namesOf(rings).at(-1);
  if (now && noted(folder)?.fingerprint !== now.fingerprint) keepPrivately(join(folder, KEY_IN_USE), JSON.stringify(now, null, 2));
}
