// node make-secrets.mjs FOLDER: the secrets of a development system, made once, and for each service a folder with those that it needs,
// as files that Node's --env-file reads. Production hands its own to the services: they have no default.
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whom the services run as: `node` in their image. */
const NODE = 1000;

/** What each service refuses to start without. */
const needs = {
  gateway: ['SECRETS_KEY', 'INTERNAL_KEYS', 'ADMIN_TOKEN'],
  invoicing: ['SECRETS_KEY', 'INTERNAL_KEYS'],
  'fiscal-submission': ['INTERNAL_KEYS'],
  'webhooks-dispatcher': ['SECRETS_KEY', 'INTERNAL_KEYS'],
  reporting: ['INTERNAL_KEYS'],
};

const folder = process.argv[2];
const all = join(folder, 'env');
const key = () => randomBytes(32).toString('base64');

if (existsSync(all)) console.log(`${all} is there`);
else {
  const secrets = { SECRETS_KEY: `v1:${key()}`, INTERNAL_KEYS: `k1:${key()}`, ADMIN_TOKEN: `adm_${randomBytes(24).toString('base64url')}` };
  keep(
    all,
    Object.entries(secrets).map(([name, value]) => `${name}=${value}`),
  );
  console.log(`${all} made`);
}
const lines = readFileSync(all, 'utf8').split('\n');
for (const [service, names] of Object.entries(needs)) {
  mkdirSync(join(folder, service), { recursive: true });
  keep(
    join(folder, service, 'env'),
    lines.filter((line) => names.includes(line.split('=', 1)[0])),
  );
}

/** Whole or not at all, for the services' user alone. */
function keep(file, text) {
  writeFileSync(`${file}.new`, text.map((line) => `${line}\n`).join(''), { mode: 0o400 });
  if (process.getuid() === 0) chownSync(`${file}.new`, NODE, NODE);
  renameSync(`${file}.new`, file);
}
