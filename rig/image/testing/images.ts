import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { installPackages } from '../../kubernetes/programs.mjs';
import { freePorts } from '../../servers/process/ports.mjs';
import { makeBase } from '../base.mjs';
import { buildImage, imageOf } from '../build-image.mjs';
import { BASE, openStore } from '../store.mjs';

const LONG = 1_800_000;
const repository = join(import.meta.dirname, '..', '..', '..');
type Name = 'invoicing' | 'gateway' | 'authority-simulator' | 'standalone';

interface Image {
  /** Its files. */
  root: string;
  env: Record<string, string>;
  user: string;
  labels: Record<string, string>;
  entrypoint: string[];
  healthcheck: string[];
  close(): void;
}
const images = new Map<Name, Image>();
export const built = (name: Name): Image => images.get(name) as Image;
const appOf = (name: Name): string => join(built(name).root, 'app');

const variables = (list: string[]): Record<string, string> =>
  Object.fromEntries(list.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]));

/** Arguments that run a command in the image's files, as its user and with its own Node. */
const within = ({ root }: Image, command: string[]): string[] => [
  ...['--userspec=1000:1000', root, 'sh', '-c', 'cd /app && exec "$0" "$@"'],
  ...command,
];
export const run = (image: Image, command: string[], env: Record<string, string> = {}) =>
  spawnSync('chroot', within(image, command), { env: { ...image.env, ...env }, encoding: 'utf8' });
const start = (name: Name, ...more: string[]) => run(built(name), [...built(name).entrypoint, ...more]);
export const launch = (image: Image, command: string[], env: Record<string, string>) =>
  spawn('chroot', within(image, command), { env: { ...image.env, ...env }, stdio: 'ignore' });

/** What is built of services in an image: of the dashboard its pages alone. */
const builtServices: Record<Name, string[]> = {
  invoicing: ['invoicing'],
  gateway: ['dashboard', 'gateway'],
  'authority-simulator': ['authority-simulator'],
  standalone: ['dashboard', 'standalone'],
};

/** Defines the tests of the images of these services. Builds them first. */
export function testImages(names: readonly Name[]): void {
  beforeAll(() => {
    installPackages();
    const store = openStore();
    makeBase(store);
    for (const name of names) {
      buildImage(store, name);
      const { config } = store.inspect(imageOf(name));
      const { root, close } = store.mount(imageOf(name));
      const [, ...healthcheck] = config.Healthcheck.Test;
      const own = { env: variables(config.Env), user: config.User, labels: config.Labels, entrypoint: config.Entrypoint };
      images.set(name, { ...own, root, healthcheck, close });
    }
  }, LONG);
  afterAll(() => images.forEach(({ close }) => close()));

  describe.each(names)('the image of %s', (name) => {
    test('contains what is built of one service and its libraries, with their packages, nothing of other services, tests or tools', () => {
      const app = appOf(name);
      expect(readdirSync(app).sort()).toEqual(
        expect.arrayContaining(['data', 'healthy.mjs', 'libs', 'node_modules', 'package.json', 'sbom.cdx.json', 'service', 'services']),
      );
      const inServices = readdirSync(join(app, 'services'));
      expect(inServices.filter((one) => existsSync(join(app, 'services', one, 'dist'))).sort()).toEqual(builtServices[name]);
      expect(readdirSync(join(app, 'service', 'dist'))).toContain('start.mjs');
      const own = readdirSync(join(app, 'node_modules', '@svc'));
      expect(own.sort()).toEqual([...readdirSync(join(app, 'libs')), ...inServices.filter((one) => one !== 'dashboard')].sort());
      if (name !== 'standalone') expect(inServices.sort()).toEqual(builtServices[name]);
      expect(own).not.toContain('testkit');
      for (const one of own) expect(existsSync(join(app, 'node_modules', '@svc', one, 'package.json'))).toBe(true);
      const packages = readdirSync(join(app, 'node_modules'));
      for (const tool of ['jest', 'nx', '@nx', 'typescript', 'esbuild', 'eslint', 'prettier', 'node']) expect(packages).not.toContain(tool);
      // A font reader needs the runtime helpers of the compiler, not the compiler.
      if (packages.includes('@swc')) expect(readdirSync(join(app, 'node_modules', '@swc'))).toEqual(['helpers']);
      const files = ['libs', 'services'].flatMap((kind) => readdirSync(join(app, kind), { recursive: true, encoding: 'utf8' }));
      expect(files.filter((path) => /\.(ts|map|spec\.js|suite\.js)$|\/testing\//.test(path))).toEqual([]);
    });

    test('names what is installed in its SBOM, and itself and its commit in its labels', () => {
      const { components } = JSON.parse(readFileSync(join(appOf(name), 'sbom.cdx.json'), 'utf8'));
      const named: string[] = components.map(({ group, name }: Record<string, string>) => (group ? `${group}/${name}` : name));
      const scoped = (folder: string) => readdirSync(folder).map((one) => join(folder, one));
      const folders = scoped(join(appOf(name), 'node_modules')).flatMap((path) => (/\/@(?!svc)[^/]+$/.test(path) ? scoped(path) : [path]));
      const installed = folders.filter((path) => existsSync(join(path, 'package.json'))).map((path) => path.split('node_modules/')[1]);
      expect(named).toEqual(expect.arrayContaining(installed));
      for (const tool of ['jest', 'typescript', 'nx']) expect(named).not.toContain(tool);
      expect(built(name).labels).toMatchObject({
        'org.opencontainers.image.title': name,
        'org.opencontainers.image.version': imageOf(name).split(':')[1],
        'org.opencontainers.image.revision': expect.stringMatching(/^[0-9a-f]{40}$/),
      });
    });

    test('runs as an unprivileged user and prints its settings', () => {
      const settings: Record<Name, string[]> = {
        invoicing: ['MONGODB_URL', 'KAFKA_BROKERS', 'EVENT_STORE_URL', 'INTERNAL_KEYS', 'SECRETS_KEY'],
        gateway: ['MONGODB_URL', 'KAFKA_BROKERS', 'INVOICING_URL', 'INTERNAL_KEYS', 'SECRETS_KEY', 'ADMIN_TOKEN', 'SETUP_FILE'],
        'authority-simulator': ['SIMULATOR_PORT', 'LEDGER_FILE'],
        standalone: ['DATA_DIR', 'BACKUP_EVERY', 'EVENT_STORE_URL', 'SIMULATOR_PORT'],
      };
      expect(built(name).user).toBe('node');
      const help = start(name, '--help');
      expect(help).toMatchObject({ status: 0, stderr: '' });
      for (const setting of settings[name]) expect(help.stdout).toContain(setting);
    });

    test('has the commands of its service in svc admin', () => {
      const commands: Record<Name, string[]> = {
        invoicing: ['svc admin drop-views', 'svc admin dead-letters list'],
        gateway: ['svc admin accounts create', 'svc admin keys create', 'svc admin dead-letters list'],
        'authority-simulator': ['no commands'],
        standalone: ['svc admin backup', 'svc admin restore', 'svc admin accounts create'],
      };
      const help = run(built(name), ['svc', 'admin']);
      expect(help).toMatchObject({ status: 0, stderr: '' });
      for (const command of commands[name]) expect(help.stdout).toContain(command);
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
    const compose = parse(readFileSync(join(repository, 'docker-compose.yml'), 'utf8'), { merge: true });
    const { entrypoint, environment } = compose.services['authority-simulator'];
    const [port] = (await freePorts(1)).map(String) as [string];
    const image = built('authority-simulator');
    const env = {
      ...{ HOST: '127.0.0.1', SIMULATOR_PORT: port, LOG_LEVEL: 'fatal', LEDGER_FILE: environment.LEDGER_FILE },
      HEALTH_URL: environment.HEALTH_URL.replace('3002', port),
    };
    const simulator = launch(image, entrypoint, env);
    try {
      const ended = new Promise((resolve) => simulator.once('exit', resolve));
      const check = () => run(image, image.healthcheck, env);
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
      const [PORT, OPS_PORT, closedPort] = (await freePorts(3)).map(String) as [string, string, string];
      const key = Buffer.alloc(32, 7).toString('base64');
      const image = built('invoicing');
      const env = {
        ...{ PORT, OPS_PORT, HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:3000', LOG_LEVEL: 'fatal' },
        ...{ KAFKA_BROKERS: `127.0.0.1:${closedPort}`, MONGODB_URL: `mongodb://127.0.0.1:${closedPort}` },
        ...{ EVENT_STORE_URL: `esdb://127.0.0.1:${closedPort}?tls=false`, INTERNAL_KEYS: `k1:${key}`, SECRETS_KEY: `v1:${key}` },
      };
      const service = launch(image, image.entrypoint, env);
      try {
        const ended = new Promise((resolve) => service.once('exit', resolve));
        const lives = () =>
          fetch(`http://127.0.0.1:${OPS_PORT}/healthz`).then(
            ({ ok }) => ok,
            () => false,
          );
        for (const end = Date.now() + 60_000; Date.now() < end && !(await lives());) await sleep(50);
        expect(await lives()).toBe(true);
        const check = () => run(image, image.healthcheck, env);
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
    const help = run(built('invoicing'), ['node', 'node_modules/@svc/service/dist/process/create-topics.js', '--help']);
    expect(help.status).toBe(0);
    expect(help.stdout).toContain('KAFKA_BROKERS');
  });
}

/** Builds one image twice, each time in a store that has nothing but the base. */
export function testEqualBuilds(): void {
  test(
    'two builds of one commit in empty stores have the same layers',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-stores-'));
      const archive = join(folder, 'base.tar');
      openStore().write(BASE, archive);
      const layersOf = (name: string): string[] => {
        const store = openStore(join(folder, name));
        try {
          store.take(archive);
          buildImage(store, 'reporting');
          return store.inspect(imageOf('reporting')).layers.map(({ digest }: { digest: string }) => digest);
        } finally {
          store.wipe();
        }
      };
      try {
        const layers = layersOf('first');
        expect(layers.length).toBeGreaterThan(2);
        expect(layersOf('second')).toEqual(layers);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    LONG,
  );
}
