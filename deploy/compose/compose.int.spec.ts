import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { processesOf, services } from '../../tools/services.mjs';

interface Service {
  image: string;
  build?: { args: { SERVICE: string } };
  pull_policy?: string;
  platform?: string;
  volumes?: string[];
  environment?: Record<string, string | null>;
}

const SECRETS = ['SECRETS_KEY', 'INTERNAL_KEYS', 'ADMIN_TOKEN'];
/** Its defaults are the image's. */
const LISTENING = ['HOST', 'PORT', 'OPS_PORT', 'SIMULATOR_PORT'];

const text = readFileSync(join(import.meta.dirname, '..', '..', 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true }) as { services: Record<string, Service>; volumes: object };
const told = (service: string): string[] => Object.keys(compose.services[service]?.environment ?? {});

/** What tools/services.mjs tells a service, when the user has set all that compose hands on; secrets apart. */
function taken(service: string): { settings: string[]; secrets: string[] } {
  const process = processesOf({
    places: Object.fromEntries(services.map((name: string) => [name, [{ port: 1, opsPort: 2 }]])),
    servers: { KAFKA_BROKERS: 'x', MONGODB_URL: 'x', EVENT_STORE_URL: 'x' },
    secrets: { secretsKey: 'x', internalKeys: 'x', adminToken: 'x' },
    ...{ namespace: 'x', publicUrl: 'x', ledgerFile: 'x', setupFile: 'x' },
    env: Object.fromEntries(told(service).map((name) => [name, 'x'])),
  }).find((one: { service: string }) => one.service === service);
  const names = Object.keys(process?.env ?? {}).filter((name) => !LISTENING.includes(name));
  return {
    settings: names.filter((name) => !SECRETS.includes(name)).sort(),
    secrets: names.filter((name) => SECRETS.includes(name)).sort(),
  };
}

test('every process of the product is there, each of its own image, beside the real servers', () => {
  const servers = ['kafka', 'mongo', 'event-store'];
  expect(Object.keys(compose.services).sort()).toEqual([...services, ...servers, 'secrets', 'topics'].sort());
  expect(compose.services['event-store']?.platform).toBe('linux/amd64'); // it has no other image
  for (const name of services)
    expect(compose.services[name]).toMatchObject({ image: `invoicing-platform/${name}`, build: { args: { SERVICE: name } } });
});

test('no image of the product is ever pulled, also where several services have it', () => {
  for (const { image, build, pull_policy } of Object.values(compose.services)) {
    if (!image.startsWith('invoicing-platform/')) continue;
    expect({ pull_policy, image }).toEqual({ pull_policy: 'build', image: `invoicing-platform/${build?.args.SERVICE}` });
  }
});

test.each(services as string[])('%s is told all that it takes, and nothing else', (service) => {
  // HEALTH_URL is the image's own.
  expect(
    told(service)
      .filter((name) => name !== 'HEALTH_URL')
      .sort(),
  ).toEqual(taken(service).settings);
});

test('no secret stands in it; each system makes its own, once, for those who run it alone', () => {
  for (const name of SECRETS) expect(text).not.toContain(name);
  const folder = mkdtempSync(join(tmpdir(), 'svc-compose-'));
  const make = (): void => void execFileSync(process.execPath, [join(import.meta.dirname, 'make-secrets.mjs'), folder]);
  const read = (file: string): Record<string, string> => {
    const script = `console.log(JSON.stringify(${JSON.stringify(SECRETS)}.map((name) => [name, process.env[name]])))`;
    const told = execFileSync(process.execPath, [`--env-file=${file}`, '-e', script], { encoding: 'utf8', env: {} });
    return Object.fromEntries((JSON.parse(told) as [string, string | null][]).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  };
  const file = join(folder, 'env');
  make();
  const made = readFileSync(file, 'utf8');
  rmSync(join(folder, 'reporting'), { recursive: true }); // as where it ended before it was done
  make();
  expect(readFileSync(file, 'utf8')).toBe(made);
  expect(statSync(file).mode & 0o777).toBe(0o400);
  const all = read(file);
  expect(SECRETS.map((name) => all[name])).toEqual(
    [/^v1:[\w+/]{43}=$/, /^k1:[\w+/]{43}=$/, /^adm_[\w-]{32}$/].map((form) => expect.stringMatching(form)),
  );
  for (const service of services as string[]) {
    const { secrets } = taken(service);
    const own = join(folder, service, 'env');
    expect(existsSync(own)).toBe(secrets.length > 0);
    if (secrets.length > 0) expect(read(own)).toEqual(Object.fromEntries(secrets.map((name) => [name, all[name]])));
    if (secrets.length > 0) expect(statSync(own).mode & 0o777).toBe(0o400);
  }
  rmSync(folder, { recursive: true });
});

test('each service sees its own secrets alone, and the one-shot hands them to all that need some', () => {
  const makes = compose.services['secrets']?.volumes ?? [];
  for (const service of services as string[]) {
    const secrets = (compose.services[service]?.volumes ?? []).filter((volume) => volume.includes('secrets'));
    const needsSome = taken(service).secrets.length > 0;
    expect(secrets).toEqual(needsSome ? [`${service}-secrets:/secrets:ro`] : []);
    expect(makes.includes(`${service}-secrets:/secrets/${service}`)).toBe(needsSome);
  }
  const mounted = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':', 1)[0] ?? ''));
  expect(Object.keys(compose.volumes).sort()).toEqual([...new Set(mounted.filter((name) => /^[\w-]+$/.test(name)))].sort());
});
