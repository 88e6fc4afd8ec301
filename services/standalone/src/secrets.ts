import { newKeyRing } from '@svc/service/secrets/key-ring';
import type { SystemKeys } from '@svc/service/secrets/service-key-ring';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Secrets {
  keys: SystemKeys;
  adminToken: string;
  /** The value of INTERNAL_KEYS. */
  internalKeys: string;
  /** The value of NAMESPACE: it identifies the system on shared servers. */
  namespace: string;
}

/** Secrets of a system in its data folder. */
interface Kept extends Omit<Secrets, 'keys'> {
  rootKey: string;
  /** Made by an earlier release, which gave it to every service. */
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
 * Loads the secrets. Given ones take precedence; missing ones are made at the first start and stored in the data folder, readable only by
 * its owner. Stored keys always decrypt. In the folder of an earlier release the key that encrypted so far becomes an old key, and the
 * internal keys are made anew, because every process had both.
 */
export function loadSecrets(folder: string, given: GivenSecrets): Secrets {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'secrets.json');
  const found = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Kept>) : {};
  const made = make();
  const kept: Kept = { ...made, ...found, ...(found.rootKey === undefined ? { internalKeys: made.internalKeys } : {}) };
  if (Object.keys(kept).length > Object.keys(found).length) {
    keepPrivately(path, JSON.stringify(kept, null, 2));
    syncFolder(folder); // Data encrypted from now on depends on it, so it must survive a power cut.
  }
  return {
    keys: keysOf(kept, given),
    adminToken: given.ADMIN_TOKEN ?? kept.adminToken,
    internalKeys: given.INTERNAL_KEYS ?? kept.internalKeys,
    namespace: given.NAMESPACE ?? kept.namespace,
  };
}

function keysOf({ rootKey, secretsKey }: Kept, { SECRETS_KEY: key, SECRETS_KEY_OLD: old }: GivenSecrets): SystemKeys {
  // An earlier release stored a key of its own also when it was given one, so it is unknown which of them encrypted.
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

/** Writes a file atomically, readable only by its owner, also over an existing one. */
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
