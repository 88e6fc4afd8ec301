import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { freePorts } from '../../servers/process/ports.mjs';
import { builderByHand, type Built } from './build-by-hand.ts';

const LONG = 900_000;
const context = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'svc-image-'));
type Name = 'invoicing' | 'gateway' | 'authority-simulator';
const images = new Map<Name, Built>();
const imageOf = (name: Name): Built => images.get(name) as Built;
const appOf = (name: Name): string => join(imageOf(name).root, imageOf(name).workdir);

/** The image's command, on this process's Node. */
const commandOf = ([, ...args]: string[]): [string, string[]] => [process.execPath, args];

function start(name: Name, ...more: string[]) {
  const { entrypoint, env } = imageOf(name);
  const [command, args] = commandOf(entrypoint);
  return spawnSync(command, [...args, ...more], { cwd: appOf(name), env: { ...env }, encoding: 'utf8' });
}

/** Defines the tests of the images of these services. Builds them first. */
export function testImages(names: readonly Name[]): void {
  beforeAll(() => {
    const build = builderByHand({ context, folder });
    for (const name of names) images.set(name, build({ SERVICE: name }));
  }, LONG);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe.each(names)('the image of %s', (name) => {
    test('contains one service, its libraries and their packages, nothing of other services, tests or tools', () => {
      const app = appOf(name);
      expect(readdirSync(app).sort()).toEqual(
        expect.arrayContaining(['data', 'healthy.mjs', 'libs', 'node_modules', 'package.json', 'service', 'services']),
      );
      expect(readdirSync(join(app, 'services'))).toEqual([name]);
      expect(readdirSync(join(app, 'service', 'dist'))).toContain('start.mjs');
      const own = readdirSync(join(app, 'node_modules', '@svc'));
      expect(own.sort()).toEqual([...readdirSync(join(app, 'libs')), name].sort());
      expect(own).not.toContain('testkit');
      for (const one of own) expect(existsSync(join(app, 'node_modules', '@svc', one, 'package.json'))).toBe(true);
      const packages = readdirSync(join(app, 'node_modules'));
      for (const tool of ['jest', 'nx', '@nx', '@swc', 'typescript', 'esbuild', 'eslint', 'prettier', 'node'])
        expect(packages).not.toContain(tool);
      const files = ['libs', 'services'].flatMap((kind) => readdirSync(join(app, kind), { recursive: true, encoding: 'utf8' }));
      expect(files.filter((path) => /\.(ts|spec\.js|suite\.js)$|\/testing\//.test(path))).toEqual([]);
    });

    test('runs as an unprivileged user and prints its settings', () => {
      const settings: Record<Name, string[]> = {
        invoicing: ['MONGODB_URL', 'KAFKA_BROKERS', 'EVENT_STORE_URL', 'INTERNAL_KEYS', 'SECRETS_KEY'],
        gateway: ['MONGODB_URL', 'KAFKA_BROKERS', 'INVOICING_URL', 'INTERNAL_KEYS', 'SECRETS_KEY', 'ADMIN_TOKEN', 'SETUP_FILE'],
        'authority-simulator': ['SIMULATOR_PORT', 'LEDGER_FILE'],
      };
      expect(imageOf(name).user).toBe('node');
      const help = start(name, '--help');
      expect(help).toMatchObject({ status: 0, stderr: '' });
      for (const setting of settings[name]) expect(help.stdout).toContain(setting);
    });
  });

  const withSecrets: [Name, string[]][] = [
    ['invoicing', ['INTERNAL_KEYS', 'SECRETS_KEY']],
    ['gateway', ['INTERNAL_KEYS', 'SECRETS_KEY', 'ADMIN_TOKEN']],
  ];
  test.each(withSecrets.filter(([name]) => names.includes(name)))(
    '%s contains no secret and does not start without them',
    (name, secrets) => {
      const refused = start(name);
      expect(refused.status).toBe(1);
      for (const secret of secrets) expect(refused.stderr).toContain(secret);
    },
  );
}

export function testSimulatorImage(): void {
  test('the authority simulator is healthy with the settings of docker-compose.yml, and ends by SIGTERM', async () => {
    const compose = parse(readFileSync(join(context, 'docker-compose.yml'), 'utf8'), { merge: true });
    const { entrypoint, environment } = compose.services['authority-simulator'];
    const [port] = (await freePorts(1)).map(String) as [string];
    const app = appOf('authority-simulator');
    const env = {
      ...imageOf('authority-simulator').env,
      ...{ HOST: '127.0.0.1', SIMULATOR_PORT: port, LOG_LEVEL: 'fatal' },
      HEALTH_URL: environment.HEALTH_URL.replace('3002', port),
      LEDGER_FILE: environment.LEDGER_FILE.replace('/app', app),
    };
    const [command, args] = commandOf(entrypoint);
    const simulator = spawn(command, args, { cwd: app, env, stdio: 'ignore' });
    try {
      const ended = new Promise((resolve) => simulator.once('exit', resolve));
      const [probe, probeArgs] = commandOf(imageOf('authority-simulator').healthcheck);
      const check = () => spawnSync(probe, probeArgs, { cwd: app, env, encoding: 'utf8' });
      let health = check();
      for (let tries = 1; health.status !== 0 && tries < 100; tries += 1) {
        await sleep(50);
        health = check();
      }
      expect(health).toMatchObject({ status: 0, stderr: '' });
      simulator.kill('SIGTERM');
      expect(await ended).toBe(0);
    } finally {
      simulator.kill('SIGKILL');
    }
  });
}

export function testInvoicingImage(): void {
  test(
    'stays alive without its servers, is not healthy, and ends by SIGTERM',
    async () => {
      const [PORT, OPS_PORT, closedPort] = (await freePorts(3)).map(String);
      const key = Buffer.alloc(32, 7).toString('base64');
      const [image, app] = [imageOf('invoicing'), appOf('invoicing')];
      const env = {
        ...image.env,
        ...{ PORT, OPS_PORT, HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:3000', LOG_LEVEL: 'fatal' },
        ...{ KAFKA_BROKERS: `127.0.0.1:${closedPort}`, MONGODB_URL: `mongodb://127.0.0.1:${closedPort}` },
        ...{ EVENT_STORE_URL: `esdb://127.0.0.1:${closedPort}?tls=false`, INTERNAL_KEYS: `k1:${key}`, SECRETS_KEY: `v1:${key}` },
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

  test('contains the command that creates topics', () => {
    const script = 'node_modules/@svc/service/dist/process/create-topics.js';
    const help = spawnSync(process.execPath, [script, '--help'], { cwd: appOf('invoicing'), encoding: 'utf8' });
    expect(help.status).toBe(0);
    expect(help.stdout).toContain('KAFKA_BROKERS');
  });
}
