import { newKeyRing } from '@svc/service/secrets/key-ring';
import { StartError } from '@svc/service/process/start-error';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkKeyInUse, noteKeyInUse, type NamedRing } from './key-in-use.ts';
import { keepPrivately, syncFolder } from './private-files.ts';

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
export interface Kept extends Omit<Secrets, 'keys'> {
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
 * its owner. The stored key always decrypts. Throws what `checkSecrets` throws, before it writes anything.
 */
export function loadSecrets(folder: string, given: GivenSecrets): Secrets {
  const found = checkSecrets(folder, given);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const kept: Kept = { ...make(), ...found };
  if (Object.keys(kept).length > Object.keys(found).length) keepPrivately(join(folder, SECRETS), JSON.stringify(kept, null, 2));
  const rings = ringsOf(kept, given);
  noteKeyInUse(folder, rings);
  syncFolder(folder);
  rmSync(join(folder, SECRETS_OMITTED), { force: true });
  return {
    keys: rings.map(({ ring }) => ring),
    adminToken: given.ADMIN_TOKEN ?? kept.adminToken,
    internalKeys: given.INTERNAL_KEYS ?? kept.internalKeys,
    namespace: given.NAMESPACE ?? kept.namespace,
  };
}

/**
 * What secrets.json has; {} where it is not there. Throws a `StartError` in a folder that was restored from a backup without its secrets, unless SECRETS_KEY is
 * given: new ones would decrypt nothing of it; where the key is missing that encrypted last; and in a folder that was begun before 0.1.0 (until 0.3).
 */
export function checkSecrets(folder: string, given: GivenSecrets): Partial<Kept> {
  const path = join(folder, SECRETS);
  if (existsSync(join(folder, SECRETS_OMITTED)) && !existsSync(path) && given.SECRETS_KEY === undefined)
    throw new StartError(secretsMissing(folder));
  const found = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Kept>) : {};
  if ('secretsKey' in found) throw new StartError(beforeReleases(folder));
  checkKeyInUse(folder, ringsOf(found, given));
  return found;
}

/** The rings of root keys. The newest key of the last one encrypts. */
export const ringsOf = ({ rootKey }: Partial<Kept>, { SECRETS_KEY }: GivenSecrets): NamedRing[] => [
  ...(rootKey === undefined ? [] : [{ of: SECRETS, ring: rootKey }]),
  ...(SECRETS_KEY === undefined ? [] : [{ of: 'SECRETS_KEY', ring: SECRETS_KEY }]),
];

/** The root keys of a folder, as rings, without making any. Throws where it has none and none is given, and as `checkSecrets` does. */
export function readSecrets(folder: string, given: GivenSecrets): string[] {
  const rings = ringsOf(checkSecrets(folder, given), given);
  if (rings.length === 0) throw new StartError(secretsMissing(folder));
  return rings.map(({ ring }) => ring);
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
