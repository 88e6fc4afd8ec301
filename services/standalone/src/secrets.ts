import { newKeyRing } from '@svc/service-kit/secrets/key-ring';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a system keeps in its data folder besides data. */
export interface Secrets {
  /** Ring that seals what is stored, as in SECRETS_KEY. */
  secretsKey: string;
  adminToken: string;
  /** As in INTERNAL_KEYS. */
  internalKeys: string;
  /** As in NAMESPACE: on servers it shares with others the system is known by it. */
  namespace: string;
}

export interface GivenSecrets {
  SECRETS_KEY?: string | undefined;
  ADMIN_TOKEN?: string | undefined;
  INTERNAL_KEYS?: string | undefined;
  NAMESPACE?: string | undefined;
}

/** Given secrets win; the rest is made at the first start and kept in the data folder, readable by its owner alone. */
export function loadSecrets(folder: string, given: GivenSecrets): Secrets {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'secrets.json');
  const found = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Secrets>) : {};
  const kept = { ...make(), ...found };
  if (Object.keys(kept).length > Object.keys(found).length) keepPrivately(path, JSON.stringify(kept, null, 2));
  return {
    secretsKey: given.SECRETS_KEY ?? kept.secretsKey,
    adminToken: given.ADMIN_TOKEN ?? kept.adminToken,
    internalKeys: given.INTERNAL_KEYS ?? kept.internalKeys,
    namespace: given.NAMESPACE ?? kept.namespace,
  };
}

const make = (): Secrets => ({
  secretsKey: newKeyRing(),
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
