import { newKeyRing } from '@svc/service-kit';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Secrets {
  /** Ring that seals what is stored, as in SECRETS_KEY. */
  secretsKey: string;
  adminToken: string;
}

/** Given secrets win; the rest is made at the first start and kept in the data folder, readable by its owner alone. */
export function loadSecrets(folder: string, given: { SECRETS_KEY?: string | undefined; ADMIN_TOKEN?: string | undefined }): Secrets {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'secrets.json');
  if (!existsSync(path)) keepPrivately(path, JSON.stringify(make(), null, 2));
  const kept = JSON.parse(readFileSync(path, 'utf8')) as Secrets;
  return { secretsKey: given.SECRETS_KEY ?? kept.secretsKey, adminToken: given.ADMIN_TOKEN ?? kept.adminToken };
}

const make = (): Secrets => ({
  secretsKey: newKeyRing(),
  adminToken: `adm_${randomBytes(24).toString('base64url')}`,
});

/** Writes a file whole or not at all, readable by its owner alone, also where another stood there. */
export function keepPrivately(path: string, text: string): void {
  const beside = `${path}.new`;
  rmSync(beside, { force: true });
  writeFileSync(beside, text, { mode: 0o600, flush: true });
  renameSync(beside, path);
}
