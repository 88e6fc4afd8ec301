import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKeyRing, parseKeyRing, serviceKeyRing } from '@svc/service';
import { KEY_IN_USE } from './key-in-use.ts';
import { type GivenSecrets, loadSecrets, SECRETS_OMITTED } from './secrets.ts';
import { serviceSecrets } from './service-secrets.ts';

/** Ciphertexts that are bound to no row are of any. */
const ROW = { collection: 'rows', id: '1' };

const services = ['gateway', 'invoicing', 'webhooks-dispatcher'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The key ring of each service, by service. */
type Rings = Record<string, string>;
const npmStart = (given: GivenSecrets): Rings => {
  const { keys } = loadSecrets(folder, given);
  return Object.fromEntries(services.map((service) => [service, serviceKeyRing(keys, service)]));
};
const startServices = (given: GivenSecrets): Rings => serviceSecrets(loadSecrets(folder, given)).secretsKeys;

const kept = (): Record<string, string> => JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'));

const encrypt = (rings: Rings): [service: string, ciphertext: string][] =>
  Object.entries(rings).map(([service, ring]) => [service, parseKeyRing(ring).encrypt('text')]);
const isReadable = (rings: Rings, stored: [service: string, ciphertext: string][]): boolean =>
  stored.every(([service, ciphertext]) => {
    try {
      return parseKeyRing(rings[service] ?? '').decrypt(ciphertext, ROW).length > 0;
    } catch {
      return false;
    }
  });

test.each([
  ['made', {}],
  ['was given', { SECRETS_KEY: newKeyRing() }],
])('a backup without its secrets starts with those that the system %s, and not with new ones', (_what, had: GivenSecrets) => {
  const stored = encrypt(npmStart(had));
  const secrets = readFileSync(join(folder, 'secrets.json'));
  const { rootKey = '' } = kept();
  rmSync(join(folder, 'secrets.json'));
  writeFileSync(join(folder, SECRETS_OMITTED), '');

  expect(() => npmStart({})).toThrow(/^DATA_DIR .* restored from a backup without its secrets/);
  expect(readdirSync(folder)).toEqual([KEY_IN_USE, SECRETS_OMITTED]);
  expect(isReadable(npmStart({ SECRETS_KEY: had.SECRETS_KEY ?? rootKey }), stored)).toBe(true);
  expect(readdirSync(folder)).toEqual([KEY_IN_USE, 'secrets.json']);

  writeFileSync(join(folder, 'secrets.json'), secrets);
  writeFileSync(join(folder, SECRETS_OMITTED), '');
  expect(isReadable(npmStart(had), stored)).toBe(true);
  expect(readdirSync(folder)).toEqual([KEY_IN_USE, 'secrets.json']);
});

test('a given key encrypts, and the stored key decrypts older data; a start without the given one is refused by its name and writes nothing', () => {
  const before = encrypt(npmStart({}));
  const SECRETS_KEY = `${newKeyRing()},v7:${newKeyRing().slice(3)}`;
  expect(isReadable(startServices({ SECRETS_KEY }), before)).toBe(true);
  const since = encrypt(startServices({ SECRETS_KEY }));
  const files = (): [string, string][] => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  const stored = files();
  for (const lacking of [{}, { SECRETS_KEY: SECRETS_KEY.split(',')[0] }])
    expect(() => npmStart(lacking)).toThrow(/the key is missing that its newest data is encrypted with: v7 of SECRETS_KEY/);
  expect(files()).toEqual(stored);
  expect(JSON.stringify(stored)).not.toContain(SECRETS_KEY.slice(-40));
  rmSync(join(folder, 'secrets.json'));
  expect(isReadable(startServices({ SECRETS_KEY }), since)).toBe(true);
});

test('a folder that was begun before 0.1.0 is refused, and stays as it is', () => {
  const before = JSON.stringify({ secretsKey: newKeyRing(), adminToken: 'adm_x' });
  writeFileSync(join(folder, 'secrets.json'), before);
  expect(() => npmStart({})).toThrow(/before release 0\.1\.0/);
  expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toBe(before);
});
