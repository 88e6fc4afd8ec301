import { hkdfSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKeyRing, parseKeyRing, serviceKeyRing } from '@svc/service';
import { type GivenSecrets, loadSecrets, SECRETS_LEFT_OUT } from './secrets.ts';
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

/** Ciphertexts of each service by the earlier release: under the system's key, or one derived from it by the service's name. */
function earlierRelease(ring: string, secretsKey: string): [service: string, ciphertext: string][] {
  const internalKeys = `k1:${newKeyRing().slice(3)}`;
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ secretsKey, internalKeys, adminToken: 'adm_x', namespace: 's1' }));
  return services.flatMap((service) =>
    ring.split(',').flatMap((entry) => {
      const [version = '', key = ''] = entry.split(':');
      const own = hkdfSync('sha256', Buffer.from(key, 'base64'), '', `what ${service} stores`, 32);
      const derived = `v${1_000_000 + Number(version.slice(1))}:${Buffer.from(own).toString('base64')}`;
      return [entry, derived].map((one): [string, string] => [service, parseKeyRing(one).encrypt('text')]);
    }),
  );
}

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

/**
 * Whether the earlier release `made` its key or was `given` it, the settings of each start of this release, and the result of the last one.
 */
type Case = [earlier: 'made' | 'given', starts: string, npmStart: 'reads' | 'reads not', startServices: 'reads' | 'reads not' | 'refused'];

const cases: Case[] = [
  ['made', 'none', 'reads', 'reads'],
  ['made', 'same', 'reads', 'refused'],
  ['made', 'new', 'reads', 'refused'],
  ['made', 'none, same', 'reads', 'refused'],
  ['made', 'none, new', 'reads', 'refused'],
  ['made', 'none, root', 'reads', 'reads'],
  ['made', 'none, root, none', 'reads', 'reads'],
  ['made', 'none, root, root and new', 'reads', 'refused'],
  ['made', 'none, root, root and new with old', 'reads', 'reads'],
  ['made', 'none, new with old', 'reads', 'reads'],
  ['given', 'same', 'reads', 'refused'],
  ['given', 'same, same and new', 'reads', 'refused'],
  ['given', 'same, none with old', 'reads', 'reads'],
  ['given', 'same, new with old', 'reads', 'reads'],
  ['given', 'same, same and new, new with old', 'reads', 'reads'],
  ['given', 'same, none with old, root with old', 'reads', 'reads'],
  ['given', 'same, same with old', 'reads', 'refused'],
  ['given', 'same, root and same', 'reads', 'refused'],
  // Without the key given to the earlier release nothing can be decrypted, and `root` is not that key.
  ['given', 'none', 'reads not', 'reads not'],
  ['given', 'new', 'reads not', 'refused'],
  ['given', 'same, root', 'reads not', 'reads not'],
];

describe.each(['v1', 'v20261122', 'v998999999'])('an earlier release with a key %s', (version) => {
  test.each(cases)('that it %s: %s: npm start %s, start:services %s', (earlier, starts, whole, split) => {
    const ring = `${version}:${newKeyRing().slice(3)}`;
    const another = `v999999999:${newKeyRing().slice(3)}`;
    const stored = earlierRelease(ring, earlier === 'made' ? ring : newKeyRing());
    const given = (start: string): GivenSecrets => {
      const rings: Record<string, string | undefined> = { none: undefined, same: ring, new: another, root: kept()['rootKey'] };
      const [, names = '', old] = /^(.*?)( with old)?$/.exec(start) ?? [];
      const parts = names.split(' and ').flatMap((name) => rings[name] ?? []);
      return { SECRETS_KEY: parts.length > 0 ? parts.join() : undefined, SECRETS_KEY_OLD: old && ring };
    };
    const before = starts.split(', ');
    const last = before.pop() ?? '';
    for (const start of before) stored.push(...encrypt(npmStart(given(start))));

    expect(isReadable(npmStart(given(last)), stored)).toBe(whole === 'reads');
    if (split !== 'refused') {
      expect(isReadable(startServices(given(last)), stored)).toBe(split === 'reads');
      return;
    }
    expect(() => startServices(given(last))).toThrow(/^SECRETS_KEY .*SECRETS_KEY_OLD/);
    // As the error message says: the key of the earlier release moves from SECRETS_KEY to SECRETS_KEY_OLD.
    if (whole === 'reads') stored.push(...encrypt(npmStart(given(last))));
    const left = given(last)
      .SECRETS_KEY?.split(',')
      .filter((entry) => entry.split(':')[1] !== ring.split(':')[1]);
    for (const SECRETS_KEY of left?.length ? [left.join()] : [undefined, another])
      expect(isReadable(startServices({ SECRETS_KEY_OLD: ring, SECRETS_KEY }), stored)).toBe(true);
  });
});

test.each([
  ['made', {}],
  ['was given', { SECRETS_KEY: newKeyRing() }],
])('a backup without its secrets starts with those that the system %s, and not with new ones', (_what, had: GivenSecrets) => {
  const stored = encrypt(npmStart(had));
  const secrets = readFileSync(join(folder, 'secrets.json'));
  const { rootKey = '' } = kept();
  rmSync(join(folder, 'secrets.json'));
  writeFileSync(join(folder, SECRETS_LEFT_OUT), '');

  expect(() => npmStart({})).toThrow(/^DATA_DIR .* restored from a backup without its secrets/);
  expect(readdirSync(folder)).toEqual([SECRETS_LEFT_OUT]);
  expect(isReadable(npmStart({ SECRETS_KEY: had.SECRETS_KEY ?? rootKey }), stored)).toBe(true);
  expect(readdirSync(folder)).toEqual(['secrets.json']);

  writeFileSync(join(folder, 'secrets.json'), secrets);
  writeFileSync(join(folder, SECRETS_LEFT_OUT), '');
  expect(isReadable(npmStart(had), stored)).toBe(true);
  expect(readdirSync(folder)).toEqual(['secrets.json']);
});

test('a given key encrypts, and the stored key decrypts older data', () => {
  const before = encrypt(npmStart({}));
  const SECRETS_KEY = newKeyRing();
  expect(isReadable(startServices({ SECRETS_KEY }), before)).toBe(true);
  const since = encrypt(startServices({ SECRETS_KEY }));
  expect(isReadable(npmStart({}), since)).toBe(false);
  rmSync(join(folder, 'secrets.json'));
  expect(isReadable(startServices({ SECRETS_KEY }), since)).toBe(true);
});
