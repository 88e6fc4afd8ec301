import { newKeyRing } from '@svc/service/secrets/key-ring';
import { StartError } from '@svc/service/process/start-error';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file of the secrets that are made at the first start. */
export const SECRETS = 'secrets.json';
/** The file that says that a backup was made without them. */
export const SECRETS_OMITTED = 'secrets-left-out';

export interface Secrets {
  /** Root keys, as rings. The keys of each service are derived from them, and no service gets them. */
  keys: string[];
  adminToken: string;
  internalKeys: string;
  /** The value of NAMESPACE: it identifies the system on shared servers. */
  namespace: string;
}

/** Secrets of a system in its data folder. */
interface Kept extends Omit<Secrets, 'keys'> {
  rootKey: string;
}

export interface GivenSecrets {
  SECRETS_KEY?: string | undefined;
  ADMIN_TOKEN?: string | undefined;
  INTERNAL_KEYS?: string | undefined;
  NAMESPACE?: string | undefined;
}

/**
 * Loads the secrets. Given ones take precedence; missing ones are made at the first start and stored in the data folder, readable only by
 * its owner. The stored key always decrypts. Throws a `StartError` in a folder that was restored from a backup without its secrets, unless
 * SECRETS_KEY is given: new ones would decrypt nothing of it; and in a folder that was begun before 0.1.0 (until 0.3).
 */
export function loadSecrets(folder: string, given: GivenSecrets): Secrets {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, SECRETS);
  const mark = join(folder, SECRETS_OMITTED);
  if (existsSync(mark) && !existsSync(path) && given.SECRETS_KEY === undefined) throw new StartError(secretsMissing(folder));
  const found = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Kept>) : {};
  if ('secretsKey' in found) throw new StartError(beforeReleases(folder));
  const kept: Kept = { ...make(), ...found };
  if (Object.keys(kept).length > Object.keys(found).length) {
    keepPrivately(path, JSON.stringify(kept, null, 2));
    syncFolder(folder); // Data encrypted from now on depends on it, so it must survive a power cut.
  }
  rmSync(mark, { force: true });
  return {
    keys: [kept.rootKey, given.SECRETS_KEY].filter((ring) => ring !== undefined),
    adminToken: given.ADMIN_TOKEN ?? kept.adminToken,
    internalKeys: given.INTERNAL_KEYS ?? kept.internalKeys,
    namespace: given.NAMESPACE ?? kept.namespace,
  };
}

const secretsMissing = (folder: string): string =>
  `DATA_DIR ${folder} was restored from a backup without its secrets, so nothing decrypts what it has encrypted. Put the secrets.json of the system ` +
  'that was backed up there, or give its rootKey, or the SECRETS_KEY that it had, as SECRETS_KEY.';

const beforeReleases = (folder: string): string =>
  `DATA_DIR ${folder} was begun by a build before release 0.1.0, which no release reads: choose another DATA_DIR`;

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
