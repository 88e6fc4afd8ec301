import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { processesOf, services } from '../../tools/services.mjs';

interface Service {
  image: string;
  build?: { args: { SERVICE: string } };
  environment?: Record<string, string | null>;
}

const SECRETS = ['SECRETS_KEY', 'INTERNAL_KEYS', 'ADMIN_TOKEN'];
/** Its defaults are the image's. */
const LISTENING = ['HOST', 'PORT', 'OPS_PORT', 'SIMULATOR_PORT'];

const text = readFileSync(join(import.meta.dirname, '..', '..', 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true }) as { services: Record<string, Service> };
const told = (service: string): string[] => Object.keys(compose.services[service]?.environment ?? {});

/** What tools/services.mjs tells a service, when the user has set all that compose hands on. */
function taken(service: string): string[] {
  const process = processesOf({
    places: Object.fromEntries(services.map((name: string) => [name, [{ port: 1, opsPort: 2 }]])),
    servers: { KAFKA_BROKERS: 'x', MONGODB_URL: 'x', EVENT_STORE_URL: 'x' },
    secrets: { secretsKey: 'x', internalKeys: 'x', adminToken: 'x' },
    ...{ namespace: 'x', publicUrl: 'x', ledgerFile: 'x', setupFile: 'x' },
    env: Object.fromEntries(told(service).map((name) => [name, 'x'])),
  }).find((one: { service: string }) => one.service === service);
  return Object.keys(process?.env ?? {}).filter((name) => !LISTENING.includes(name) && !SECRETS.includes(name));
}

test('every process of the product is there, each of its own image, beside the real servers', () => {
  const servers = ['kafka', 'mongo', 'event-store'];
  expect(Object.keys(compose.services).sort()).toEqual([...services, ...servers, 'secrets', 'topics'].sort());
  for (const name of services)
    expect(compose.services[name]).toMatchObject({ image: `invoicing-platform/${name}`, build: { args: { SERVICE: name } } });
});

test.each(services as string[])('%s is told all that it takes, and nothing else', (service) => {
  // HEALTH_URL is the image's own.
  expect(
    told(service)
      .filter((name) => name !== 'HEALTH_URL')
      .sort(),
  ).toEqual(taken(service).sort());
});

test('no secret stands in it; each system makes its own, once, for those who run it alone', () => {
  for (const name of SECRETS) expect(text).not.toContain(name);
  const folder = mkdtempSync(join(tmpdir(), 'svc-compose-'));
  const make = (): void => void execFileSync(process.execPath, [join(import.meta.dirname, 'make-secrets.mjs'), folder]);
  const file = join(folder, 'env');
  make();
  const made = readFileSync(file, 'utf8');
  make();
  expect(readFileSync(file, 'utf8')).toBe(made);
  expect(statSync(file).mode & 0o777).toBe(0o400);
  const script = `console.log(JSON.stringify([${SECRETS.map((name) => `process.env.${name}`).join()}]))`;
  const read = JSON.parse(execFileSync(process.execPath, [`--env-file=${file}`, '-e', script], { encoding: 'utf8' }));
  expect(read).toEqual([/^v1:[\w+/]{43}=$/, /^k1:[\w+/]{43}=$/, /^adm_[\w-]{32}$/].map((form) => expect.stringMatching(form)));
  rmSync(folder, { recursive: true });
});
