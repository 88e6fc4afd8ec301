// node make-secrets.mjs FOLDER: makes the secrets of a development system once, and for each service a folder with the ones that it needs,
// as files for Node's --env-file. In production the operator gives each service its secrets; they have no default.
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Id of the user that the services run as: `node` in their image. */
const NODE = 1000;

const behind = ['invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];
const encrypting = ['gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher'];

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const all = join(folder, 'secrets.json');
const key = () => randomBytes(32).toString('base64');
const each = (services, make) => Object.fromEntries(services.map((service) => [service, make(service)]));

if (existsSync(all)) console.log(`${all} is there`);
else {
  const before = earlier(join(folder, 'env'));
  const secrets = {
    // Data encrypted under the shared key of an earlier release stays readable.
    SECRETS_KEY: each(encrypting, () => ring([...keysOf(before.SECRETS_KEY), key()])),
    INTERNAL_KEYS: each(behind, () => `${unusedName(before.INTERNAL_KEYS)}:${key()}`),
    ADMIN_TOKEN: before.ADMIN_TOKEN ?? `adm_${randomBytes(24).toString('base64url')}`,
  };
  keep(all, JSON.stringify(secrets, null, 2));
  console.log(`${all} made`);
}
const made = JSON.parse(readFileSync(all, 'utf8'));
const { SECRETS_KEY, INTERNAL_KEYS, ADMIN_TOKEN } = made;
// Services that encrypted nothing in the release that made the file.
const without = encrypting.filter((service) => SECRETS_KEY[service] === undefined);
if (without.length > 0) {
  Object.assign(
    SECRETS_KEY,
    each(without, () => ring([key()])),
  );
  keep(all, JSON.stringify(made, null, 2));
}
/** The secrets that each service requires. No service can decrypt another's data, and only the gateway can call all services. */
const needs = {
  ...each(behind, (service) => ({ INTERNAL_KEYS: INTERNAL_KEYS[service] })),
  gateway: { INTERNAL_KEYS: behind.map((service) => `${service}.${INTERNAL_KEYS[service]}`).join(), ADMIN_TOKEN },
};
for (const service of [...behind, 'gateway']) {
  const variables = { ...needs[service], ...(encrypting.includes(service) ? { SECRETS_KEY: SECRETS_KEY[service] } : {}) };
  mkdirSync(join(folder, service), { recursive: true });
  keep(
    join(folder, service, 'env'),
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
}

/** The secrets that an earlier release made for all services. */
function earlier(file) {
  if (!existsSync(file)) return {};
  const entries = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(entries.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** A ring with new version numbers. Any of its keys decrypts; the last one encrypts. */
function ring(keys) {
  return keys.map((one, n) => `v${n + 1}:${one}`).join();
}

/** The keys of a ring without their versions. */
function keysOf(text) {
  return text ? text.split(',').map((entry) => entry.trim().replace(/^v\d+:/, '')) : [];
}

/** `k1`, or the next name without a key of an earlier release, which verified only one key per name. */
function unusedName(keys = '') {
  const names = new Set(keys.split(',').map((entry) => /([^.]*):/.exec(entry.trim())?.[1]));
  for (let n = 1; ; n += 1) if (!names.has(`k${n}`)) return `k${n}`;
}

/** Writes a file atomically, readable only by the services' user. */
function keep(file, text) {
  writeFileSync(`${file}.new`, text, { mode: 0o400 });
  if (process.getuid() === 0) chownSync(`${file}.new`, NODE, NODE);
  renameSync(`${file}.new`, file);
}
