import { newKeyRing } from '@svc/service/secrets/key-ring';
import type { SystemKeys } from '@svc/service/secrets/service-key-ring';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Secrets {
  keys: SystemKeys;
  adminToken: string;
  /** As in INTERNAL_KEYS. */
  internalKeys: string;
  /** As in NAMESPACE: on servers it shares with others the system is known by it. */
  namespace: string;
}

/** What a system keeps in its data folder besides data. */
interface Kept extends Omit<Secrets, 'keys'> {
  rootKey: string;
  /** Made by an earlier release, which handed it to every service. */
  secretsKey?: string;
}

export interface GivenSecrets {
  SECRETS_KEY?: string | undefined;
  SECRETS_KEY_OLD?: string | undefined;
  ADMIN_TOKEN?: string | undefined;
  INTERNAL_KEYS?: string | undefined;
  NAMESPACE?: string | undefined;
}

/**
 * Given secrets win; the rest is made at the first start and kept in the data folder, readable by its owner alone. Keys in that folder
 * decrypt whatever is given. In the folder of an earlier release the key that encrypted until now becomes an old one, and keys of identities
 * are new: every process had both.
 */
export function loadSecrets(folder: string, given: GivenSecrets): Secrets {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'secrets.json');
  const found = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Kept>) : {};
  const made = make();
  const kept: Kept = { ...made, ...found, ...(found.rootKey === undefined ? { internalKeys: made.internalKeys } : {}) };
  if (Object.keys(kept).length > Object.keys(found).length) {
    keepPrivately(path, JSON.stringify(kept, null, 2));
    syncFolder(folder); // what is stored from now on depends on it: it outlives a power cut
  }
  return {
    keys: keysOf(kept, given),
    adminToken: given.ADMIN_TOKEN ?? kept.adminToken,
    internalKeys: given.INTERNAL_KEYS ?? kept.internalKeys,
    namespace: given.NAMESPACE ?? kept.namespace,
  };
}

function keysOf({ rootKey, secretsKey }: Kept, { SECRETS_KEY: key, SECRETS_KEY_OLD: old }: GivenSecrets): SystemKeys {
  // An earlier release kept a key of its own also where it was given one: it does not show which of them encrypted.
  const mayBeOld = secretsKey !== undefined && key !== rootKey;
  return { root: present(rootKey, key), old: present(old ?? (mayBeOld ? key : undefined), secretsKey) };
}

const present = (...rings: (string | undefined)[]): string[] => rings.filter((ring) => ring !== undefined);

const make = (): Kept => ({
  rootKey: newKeyRing(),
  adminToken: `adm_${randomBytes(24).toString('base64url')}`,
  internalKeys: `k1:${randomBytes(32).toString('base64')}`,
  namespace: `s${randomBytes(6).toString('hex')}`,
});

/** Writes a file whole or not at all, readable by its owner alone, also where another stood there. */
export function keepPrivately(path: string, text: string): void {
  const beside = `${path}.new`;
  rmSync(beside, { force: true });
  writeFileSync(beside, text, { mode: 0o600, flush: true });
  renameSync(beside, path);
}

function syncFolder(folder: string): void {
  const file = openSync(folder, 'r');
  fsyncSync(file);
  closeSync(file);
}
