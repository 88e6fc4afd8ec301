// node make-secrets.mjs FOLDER: the secrets of a development system, made once, as a file that Node's --env-file reads. Production hands
// its own to the services: they have no default.
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whom the services run as: `node` in their image. */
const NODE = 1000;

const file = join(process.argv[2], 'env');
const key = () => randomBytes(32).toString('base64');

if (existsSync(file)) console.log(`${file} is there`);
else {
  const secrets = { SECRETS_KEY: `v1:${key()}`, INTERNAL_KEYS: `k1:${key()}`, ADMIN_TOKEN: `adm_${randomBytes(24).toString('base64url')}` };
  const text = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(`${file}.new`, text.join(''), { mode: 0o400 });
  if (process.getuid() === 0) chownSync(`${file}.new`, NODE, NODE);
  renameSync(`${file}.new`, file);
  console.log(`${file} made`);
}
