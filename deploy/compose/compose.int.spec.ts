import { execFileSync } from 'node:child_process';
import { hkdfSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { systemClock } from '@svc/kernel';
import { createIdentityReader, createIdentitySigner, internalKeys, newKeyRing, parseKeyRing, type Identity } from '@svc/service';
import { parse } from 'yaml';
import { processesOf, services } from '../../tools/services.mjs';

/** Ciphertexts that are bound to no row are of any. */
const ROW = { collection: 'rows', id: '1' };

interface Service {
  image: string;
  build?: { args: { SERVICE: string } };
  pull_policy?: string;
  platform?: string;
  volumes?: string[];
  environment?: Record<string, string | null>;
  networks?: string[];
  network_mode?: string;
}

const SECRETS = ['SECRETS_KEY', 'INTERNAL_KEYS', 'ADMIN_TOKEN'];
/** Settings whose values the image fixes. */
const LISTENING = ['HOST', 'PORT', 'OPS_PORT', 'SIMULATOR_PORT'];

const text = readFileSync(join(import.meta.dirname, '..', '..', 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true }) as { services: Record<string, Service>; volumes: object; networks: object };
const variablesOf = (service: string): string[] => Object.keys(compose.services[service]?.environment ?? {});

const ofEach = (value: string): Record<string, string> => Object.fromEntries(services.map((name: string) => [name, value]));

/** The variables that tools/services.mjs gives a service when the user sets everything that compose passes on, secrets apart. */
function requiredBy(service: string): { settings: string[]; secrets: string[] } {
  const process = processesOf({
    places: Object.fromEntries(services.map((name: string) => [name, [{ port: 1, opsPort: 2 }]])),
    servers: { KAFKA_BROKERS: 'x', MONGODB_URL: 'x', EVENT_STORE_URL: 'x' },
    secrets: { secretsKeys: ofEach('x'), internalKeys: ofEach('x'), adminToken: 'x' },
    ...{ namespace: 'x', publicUrl: 'x', ledgerFile: 'x', setupFile: 'x' },
    env: Object.fromEntries(variablesOf(service).map((name) => [name, 'x'])),
  }).find((one: { service: string }) => one.service === service);
  const names = Object.keys(process?.env ?? {}).filter((name) => !LISTENING.includes(name));
  return {
    settings: names.filter((name) => !SECRETS.includes(name)).sort(),
    secrets: names.filter((name) => SECRETS.includes(name)).sort(),
  };
}

test('has every process of the product, each with its own image, and the real servers', () => {
  const servers = ['kafka', 'mongo', 'event-store'];
  expect(Object.keys(compose.services).sort()).toEqual([...services, ...servers, 'secrets', 'topics'].sort());
  expect(compose.services['event-store']?.platform).toBe('linux/amd64'); // It has no other image.
  for (const name of services)
    expect(compose.services[name]).toMatchObject({ image: `invoicing-platform/${name}`, build: { args: { SERVICE: name } } });
});

test('never pulls an image of the product, also where several services share it', () => {
  for (const { image, build, pull_policy } of Object.values(compose.services)) {
    if (!image.startsWith('invoicing-platform/')) continue;
    expect({ pull_policy, image }).toEqual({ pull_policy: 'build', image: `invoicing-platform/${build?.args.SERVICE}` });
  }
});

test.each(services as string[])('%s gets exactly the variables that it needs', (service) => {
  // HEALTH_URL belongs to the image.
  expect(
    variablesOf(service)
      .filter((name) => name !== 'HEALTH_URL')
      .sort(),
  ).toEqual(requiredBy(service).settings);
});

test('shares a server’s network only with the services that use it', () => {
  const ports: Record<string, string> = {
    kafka: 'kafka:9092',
    mongo: 'mongo:27017',
    'event-store': 'event-store:2113',
    'authority-simulator': ':3002',
  };
  const networksOf = (name: string): string[] => compose.services[name]?.networks ?? [];
  for (const [server, address] of Object.entries(ports)) {
    const users = Object.keys(compose.services).filter((name) =>
      JSON.stringify(compose.services[name]?.environment ?? {}).includes(address),
    );
    const near = Object.keys(compose.services).filter((name) => networksOf(name).some((one) => networksOf(server).includes(one)));
    expect(near.sort()).toEqual([...new Set([...users, server])].sort());
  }
  for (const [name, { networks, network_mode }] of Object.entries(compose.services))
    expect([name, networks ?? network_mode]).not.toContain(undefined);
  expect(Object.keys(compose.networks).sort()).toEqual([...new Set(Object.keys(compose.services).flatMap(networksOf))].sort());
  for (const name of services as string[]) if (name !== 'authority-simulator') expect(networksOf(name)).toContain('front');
});

describe('secrets', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-compose-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const make = (): void => void execFileSync(process.execPath, [join(import.meta.dirname, 'make-secrets.mjs'), folder]);
  const read = (service: string): Record<string, string> => {
    const variables = parseEnv(readFileSync(join(folder, service, 'env'), 'utf8'));
    return Object.fromEntries(SECRETS.flatMap((name): [string, string][] => (variables[name] ? [[name, variables[name]]] : [])));
  };
  const withSecrets = (services as string[]).filter((service) => requiredBy(service).secrets.length > 0);

  test('are not in the file; each system makes its own once, readable only by its user', () => {
    for (const name of SECRETS) expect(text).not.toContain(name);
    make();
    const made = withSecrets.map(read);
    rmSync(join(folder, 'reporting'), { recursive: true }); // As after an interrupted run.
    make();
    expect(withSecrets.map(read)).toEqual(made);
    for (const service of services as string[]) {
      const { secrets } = requiredBy(service);
      const own = join(folder, service, 'env');
      expect(existsSync(own)).toBe(secrets.length > 0);
      if (secrets.length === 0) continue;
      expect([Object.keys(read(service)).sort(), statSync(own).mode & 0o777]).toEqual([secrets, 0o400]);
    }
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o400);
    expect(read('gateway')['ADMIN_TOKEN']).toMatch(/^adm_[\w-]{32}$/);
  });

  test('no service decrypts the data of another, and only the gateway can call others', () => {
    make();
    const encrypting = withSecrets.filter((service) => read(service)['SECRETS_KEY']);
    for (const service of encrypting) {
      const ciphertext = parseKeyRing(read(service)['SECRETS_KEY'] ?? '').encrypt('text');
      for (const other of encrypting) {
        const open = () =>
          parseKeyRing(read(other)['SECRETS_KEY'] ?? '')
            .decrypt(ciphertext, ROW)
            .toString();
        if (other === service) expect(open()).toBe('text');
        else expect(open).toThrow();
      }
    }
    const behind = withSecrets.filter((service) => service !== 'gateway');
    const keys = (service: string) => internalKeys(read(service)['INTERNAL_KEYS'] ?? '');
    const who = { account: 'acct_1', env: 'test', livemode: false, permissions: ['*'], requestId: 'req_1', commandId: '01' } as const;
    const identity = { ...who, actor: { type: 'api_key', id: 'key_1' } } as unknown as Identity;
    for (const service of behind) {
      const reads = createIdentityReader(keys(service), service, systemClock);
      for (const signer of withSecrets) {
        const token = createIdentitySigner(keys(signer), systemClock)(identity, service);
        expect([signer, service, reads(token).kind === 'valid']).toEqual([signer, service, signer === 'gateway' || signer === service]);
      }
    }
  });

  test('data under the shared key of an earlier release stays readable, new data does not use that key, and the admin token is kept', () => {
    const key = newKeyRing().slice(3);
    for (const before of [`v1:${key}`, `v20261122:${key}, v1:${newKeyRing().slice(3)}`, `v999999999:${key}`]) {
      writeFileSync(join(folder, 'env'), `SECRETS_KEY=${before}\nINTERNAL_KEYS=k1:${newKeyRing().slice(3)}\nADMIN_TOKEN=adm_before\n`);
      make();
      const ring = parseKeyRing(read('invoicing')['SECRETS_KEY'] ?? '');
      expect(ring.decrypt(parseKeyRing(before).encrypt('text'), ROW).toString()).toBe('text');
      expect(() => parseKeyRing(before).decrypt(ring.encrypt('text'), ROW)).toThrow();
      expect(read('gateway')['ADMIN_TOKEN']).toBe('adm_before');
      rmSync(join(folder, 'secrets.json'));
    }
  });

  test('a service that has had no key for stored data gets one, and the secrets of all stay', () => {
    make();
    const path = join(folder, 'secrets.json');
    const { SECRETS_KEY, ...others } = JSON.parse(readFileSync(path, 'utf8')) as { SECRETS_KEY: Record<string, string> };
    const { 'fiscal-submission': _removed, ...before } = SECRETS_KEY;
    rmSync(path);
    writeFileSync(path, JSON.stringify({ SECRETS_KEY: before, ...others }));
    make();
    const made = read('fiscal-submission');
    expect(parseKeyRing(made['SECRETS_KEY'] ?? '').encrypt('text')).toMatch(/^v1\./);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      SECRETS_KEY: { ...before, 'fiscal-submission': made['SECRETS_KEY'] },
      ...others,
    });
    make();
    expect(read('fiscal-submission')).toEqual(made);
  });

  test('internal keys have names that an earlier release has not used', () => {
    const key = newKeyRing().slice(3);
    for (const [earlier, name] of [
      [`k1:${key}`, 'k2'],
      [`k3:${key},k1:${key}`, 'k2'],
      [`k2:${key}, reporting.k1:${key}`, 'k3'],
      [`mine:${key}`, 'k1'],
    ] as const) {
      writeFileSync(join(folder, 'env'), `SECRETS_KEY=${newKeyRing()}\nINTERNAL_KEYS=${earlier}\nADMIN_TOKEN=adm_before\n`);
      make();
      const made = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as { INTERNAL_KEYS: Record<string, string> };
      const names = Object.values(made.INTERNAL_KEYS).map((keys) => internalKeys(keys)[0].kid);
      expect([earlier, ...new Set(names)]).toEqual([earlier, name]);
      rmSync(join(folder, 'secrets.json'));
    }
  });

  test('no derivation from one service’s secrets gives a key of another', () => {
    for (const earlier of ['', `SECRETS_KEY=${newKeyRing()}\n`]) {
      if (earlier) writeFileSync(join(folder, 'env'), earlier);
      make();
      const all = withSecrets.map((service) => [service, read(service)] as const);
      const encrypting = all.flatMap(([service, { SECRETS_KEY: ring }]) => {
        const [version] = parseKeyRing(ring ?? newKeyRing())
          .encrypt('')
          .split('.');
        const newest = ring?.split(',').find((entry) => entry.startsWith(`${version}:`));
        return newest ? [[service, newest.slice(`${version}:`.length)] as const] : [];
      });
      expect(encrypting).toHaveLength(4);
      for (const [service, secrets] of all) {
        const keys = Object.values(secrets).flatMap((value) => value.match(/[A-Za-z0-9+/]{43}=/g) ?? []);
        const derived = keys.flatMap((key) =>
          (services as string[]).map((name) => hkdfSync('sha256', Buffer.from(key, 'base64'), '', `what ${name} stores`, 32)),
        );
        const made = [...keys, ...derived.map((key) => Buffer.from(key).toString('base64'))];
        for (const [other, key] of encrypting) expect([service, other, made.includes(key)]).toEqual([service, other, other === service]);
      }
      rmSync(join(folder, 'secrets.json'));
    }
  });
});

test('each service sees only its own secrets, and the one-shot service writes them for all that need some', () => {
  const makes = compose.services['secrets']?.volumes ?? [];
  for (const service of services as string[]) {
    const secrets = (compose.services[service]?.volumes ?? []).filter((volume) => volume.includes('secrets'));
    const needsSome = requiredBy(service).secrets.length > 0;
    expect(secrets).toEqual(needsSome ? [`${service}-secrets:/secrets:ro`] : []);
    expect(makes.includes(`${service}-secrets:/secrets/${service}`)).toBe(needsSome);
  }
  const mounted = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':', 1)[0] ?? ''));
  expect(Object.keys(compose.volumes).sort()).toEqual([...new Set(mounted.filter((name) => /^[\w-]+$/.test(name)))].sort());
});
