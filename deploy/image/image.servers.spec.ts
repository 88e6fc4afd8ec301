import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../servers/process/ports.mjs';
import { buildByHand, type Built } from './build-by-hand.suite.ts';

const LONG = 900_000;
const context = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'svc-image-'));
let image: Built;
let app: string;

beforeAll(() => {
  image = buildByHand({ context, args: { SERVICE: 'invoicing' }, folder });
  app = join(image.root, image.workdir);
}, LONG);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The image's command as the image has it, on this Node. */
const commandOf = ([, ...args]: string[]): [string, string[]] => [process.execPath, args];

function start(env: Record<string, string>, ...more: string[]) {
  const [command, args] = commandOf(image.entrypoint);
  return spawnSync(command, [...args, ...more], { cwd: app, env: { ...image.env, ...env }, encoding: 'utf8' });
}

test('holds one service, its libraries and their packages, nothing of other services, tests or tools', () => {
  expect(readdirSync(app).sort()).toEqual(
    expect.arrayContaining(['data', 'healthy.mjs', 'libs', 'node_modules', 'package.json', 'service', 'services']),
  );
  expect(readdirSync(join(app, 'services'))).toEqual(['invoicing']);
  const own = readdirSync(join(app, 'node_modules', '@svc'));
  expect(own.sort()).toEqual([...readdirSync(join(app, 'libs')), 'invoicing'].sort());
  expect(own).not.toContain('testkit');
  for (const name of own) expect(existsSync(join(app, 'node_modules', '@svc', name, 'package.json'))).toBe(true);
  const packages = readdirSync(join(app, 'node_modules'));
  expect(packages).toContain('mongodb');
  for (const tool of ['jest', 'nx', '@nx', '@swc', 'typescript', 'esbuild', 'eslint', 'prettier', 'node'])
    expect(packages).not.toContain(tool);
  const files = ['libs', 'services'].flatMap((kind) => readdirSync(join(app, kind), { recursive: true, encoding: 'utf8' }));
  expect(files.filter((path) => /\.(ts|spec\.js|suite\.js)$/.test(path))).toEqual([]);
});

test('runs as a user without rights, and tells its settings', () => {
  expect(image.user).toBe('node');
  const help = start({}, '--help');
  expect(help).toMatchObject({ status: 0, stderr: '' });
  for (const name of ['MONGODB_URL', 'KAFKA_BROKERS', 'EVENT_STORE_URL', 'INTERNAL_KEYS', 'SECRETS_KEY'])
    expect(help.stdout).toContain(name);
});

test('has no secret of its own: without them it does not start', () => {
  const refused = start({});
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('INTERNAL_KEYS');
  expect(refused.stderr).toContain('SECRETS_KEY');
});

test(
  'lives without its servers, is not healthy, and ends by SIGTERM',
  async () => {
    const [PORT, OPS_PORT, nobody] = (await freePorts(3)).map(String);
    const key = Buffer.alloc(32, 7).toString('base64');
    const env = {
      ...image.env,
      ...{ PORT, OPS_PORT, HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:3000', LOG_LEVEL: 'fatal' },
      ...{ KAFKA_BROKERS: `127.0.0.1:${nobody}`, MONGODB_URL: `mongodb://127.0.0.1:${nobody}` },
      ...{ EVENT_STORE_URL: `esdb://127.0.0.1:${nobody}?tls=false`, INTERNAL_KEYS: `k1:${key}`, SECRETS_KEY: `v1:${key}` },
    };
    const [command, args] = commandOf(image.entrypoint);
    const service = spawn(command, args, { cwd: app, env, stdio: 'ignore' });
    try {
      const ended = new Promise((resolve) => service.once('exit', resolve));
      const lives = () =>
        fetch(`http://127.0.0.1:${OPS_PORT}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        );
      for (const end = Date.now() + 60_000; Date.now() < end && !(await lives());) await sleep(50);
      expect(await lives()).toBe(true);
      const [probe, probeArgs] = commandOf(image.healthcheck);
      const check = () => spawnSync(probe, probeArgs, { cwd: app, env, encoding: 'utf8' });
      let health = check();
      for (let tries = 1; health.stderr.includes('timeout') && tries < 20; tries += 1) health = check();
      expect(health).toMatchObject({ status: 1, stderr: expect.stringContaining('/readyz: 503') });
      service.kill('SIGTERM');
      expect(await ended).toBe(0);
    } finally {
      service.kill('SIGKILL');
    }
  },
  LONG,
);

test('makes the topics too', () => {
  const script = 'node_modules/@svc/event-bus/dist/kafka/create-topics.js';
  const help = spawnSync(process.execPath, [script, '--help'], { cwd: app, encoding: 'utf8' });
  expect(help.status).toBe(0);
  expect(help.stdout).toContain('KAFKA_BROKERS');
});
