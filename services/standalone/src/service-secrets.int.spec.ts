import { createHmac, hkdfSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { newKeyRing, parseKeyRing } from '@svc/service';
import { root } from '@svc/testkit';
import { type GivenSecrets, loadSecrets } from './secrets.ts';
import { serviceSecrets } from './service-secrets.ts';

/** Ciphertexts that are bound to no row are of any. */
const ROW = { collection: 'rows', id: '1' };

type Environments = Record<string, Record<string, string>>;
const { processesOf, services } = (await import(new URL('tools/services.mjs', `file://${root}`).href)) as {
  processesOf(settings: object): { service: string; env: Record<string, string> }[];
  services: string[];
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The whole environment of each process of `npm run start:services`. */
function environments(given: GivenSecrets = {}): Environments {
  const places = Object.fromEntries(services.map((service) => [service, [{ port: 1, opsPort: 2 }]]));
  const servers = { KAFKA_BROKERS: 'x', MONGODB_URL: 'x', EVENT_STORE_URL: 'x' };
  const settings = { places, servers, namespace: 'x', publicUrl: 'x', ledgerFile: 'x', setupFile: 'x', env: given };
  const processes = processesOf({ ...settings, secrets: serviceSecrets(loadSecrets(folder, given)) });
  return Object.fromEntries(processes.map(({ service, env }) => [service, env]));
}

const stored = (name = 'secrets.json'): Record<string, string> => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const keep = (secrets: object): void => writeFileSync(join(folder, 'secrets.json'), JSON.stringify(secrets));
const ringOf = (env: Record<string, string> | undefined) => parseKeyRing(env?.['SECRETS_KEY'] ?? '');
const encrypting = (all: Environments): string[] => services.filter((service) => all[service]?.['SECRETS_KEY']);

const base64 = (bytes: ArrayBuffer | Buffer): string => Buffer.from(bytes as ArrayBuffer).toString('base64');
const storing = (key: string, service: string): string =>
  base64(hkdfSync('sha256', Buffer.from(key, 'base64'), '', `what ${service} stores`, 32));
const identifying = (key: string, service: string): string =>
  base64(createHmac('sha256', Buffer.from(key, 'base64')).update(`identity for ${service}`).digest());

/** All keys of an environment, and all keys that derivations make of them, applied twice. */
function derivable(env: Record<string, string> | undefined): Set<string> {
  const keys = new Set(Object.values(env ?? {}).flatMap((value) => value.match(/[A-Za-z0-9+/]{43}=/g) ?? []));
  for (let round = 0; round < 2; round += 1)
    for (const key of [...keys]) for (const of of services) for (const derive of [storing, identifying]) keys.add(derive(key, of));
  return keys;
}

const opens = (key: string, ciphertext: string): boolean => {
  try {
    return parseKeyRing(`${ciphertext.split('.')[0]}:${key}`).decrypt(ciphertext, ROW).length > 0;
  } catch {
    return false;
  }
};

/** Which environments can decrypt data of which other services. */
const readsOf = (all: Environments): string[] =>
  services.flatMap((service) => {
    const keys = [...derivable(all[service])];
    return encrypting(all).flatMap((other) => {
      const ciphertext = ringOf(all[other]).encrypt('text');
      return other !== service && keys.some((key) => opens(key, ciphertext)) ? [`${service} reads ${other}`] : [];
    });
  });

describe('from the environment of one process', () => {
  test('its own ciphertext can be decrypted, so that the tests below are meaningful', () => {
    const all = environments();
    for (const service of encrypting(all)) {
      const ciphertext = ringOf(all[service]).encrypt('text');
      expect([service, [...derivable(all[service])].some((key) => opens(key, ciphertext))]).toEqual([service, true]);
    }
    expect(encrypting(all)).toEqual(['invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'gateway']);
  });

  test('no derivation decrypts data of another service, and neither root key is in it', () => {
    const all = environments();
    expect(readsOf(all)).toEqual([]);
    const roots = [stored()['rootKey'], stored()['internalKeys']].map((ring) => ring?.split(':')[1]);
    for (const env of Object.values(all)) for (const key of roots) expect(JSON.stringify(env)).not.toContain(key);
  });

  test('no derivation decrypts data of another service with a root key that the operator gives', () => {
    const SECRETS_KEY = `${newKeyRing()},v20261122:${newKeyRing().slice(3)}`;
    const all = environments({ SECRETS_KEY });
    expect(readsOf(all)).toEqual([]);
    for (const key of SECRETS_KEY.match(/[A-Za-z0-9+/]{43}=/g) ?? []) expect(JSON.stringify(all)).not.toContain(key);
  });
});

describe('data of other releases', () => {
  const fixtures = new URL('../fixtures/', import.meta.url).pathname;
  const owners = {
    'svc_gateway.peppers': 'gateway',
    'svc_webhooks.webhook_endpoints': 'webhooks-dispatcher',
    'svc_invoicing.subject_keys': 'invoicing',
  };

  test.each(readdirSync(fixtures).filter((name) => name.startsWith('data-folder')))('decrypts the data of %s', (name) => {
    const data = join(fixtures, name, 'data');
    keep(JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8')));
    mkdirSync(join(folder, 'db'));
    writeFileSync(join(folder, 'db/data.sqlite'), gunzipSync(readFileSync(join(data, 'data.sqlite.gz'))));
    const db = new DatabaseSync(join(folder, 'db/data.sqlite'), { readOnly: true });
    const all = environments();
    for (const [table, service] of Object.entries(owners)) {
      const rows = db.prepare(`SELECT body FROM "${table}"`).all() as { body: string | Uint8Array }[];
      const ciphertext = rows.flatMap(
        ({ body }) =>
          Buffer.from(body as string)
            .toString()
            .match(/(?<=")v\d+\.[\w-]{38,}(?=")/g) ?? [],
      );
      expect([table, ciphertext.length > 0]).toEqual([table, true]);
      for (const text of ciphertext) expect(ringOf(all[service]).decrypt(text, ROW).length).toBeGreaterThan(0);
    }
    db.close();
  });
});
