import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The built program as a process of its own, on free ports and a data folder of its own: what an operator has. */
export interface System {
  /** Public origin, e.g. http://127.0.0.1:40001 */
  url: string;
  ops: string;
  simulator: string;
  dataDir: string;
  setup: { account_id: string; test_key: string; live_key: string; admin_token: string };
  output(): string;
  /** Signals the whole process group and waits for its end. */
  kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<{ code: number | null; signal: string | null }>;
  /** Starts again on the same folder and ports. */
  restart(): Promise<System>;
  /** SIGTERM, and removes the folder. */
  stop(): Promise<void>;
}

/** Characters of a program's output that are kept. */
const OUTPUT_KEPT = 8_000_000;

const root = new URL('../../..', import.meta.url).pathname;
const node24 = join(root, 'node_modules/.bin/node');
const main = join(root, 'services/standalone/dist/start.mjs');

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
      });
  });

const inherited = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => ['PATH', 'HOME', 'TMPDIR', 'CI'].includes(name)));

/** Runs the program to its end, for starts that are refused and for `--help`. Ends it after a minute. */
export async function runProgram({ env = {}, args = [] }: { env?: Record<string, string>; args?: string[] }) {
  const child = spawn(node24, [main, ...args], { cwd: root, env: { ...inherited(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const tooLong = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(tooLong);
  return { code, output };
}

export async function startSystem(env: Record<string, string> = {}, folder?: string): Promise<System> {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'svc-system-'));
  const ports = {
    PORT: env['PORT'] ?? String(await freePort()),
    OPS_PORT: env['OPS_PORT'] ?? String(await freePort()),
    SIMULATOR_PORT: env['SIMULATOR_PORT'] ?? String(await freePort()),
  };
  const setupFile = join(dataDir, 'setup.json');
  const all = { LOG_LEVEL: 'warn', AUTHORITY_PACE: 'fast', ...env, ...ports, DATA_DIR: join(dataDir, 'data'), SETUP_FILE: setupFile };
  const child = spawn(node24, [main], {
    cwd: root,
    env: { ...inherited(), ...all },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-OUTPUT_KEPT);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let ended: { code: number | null; signal: string | null } | undefined;
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve((ended = { code, signal }))),
  );
  const kill: System['kill'] = (signal = 'SIGKILL') => {
    try {
      process.kill(-(child.pid as number), signal);
    } catch {
      // It has ended already.
    }
    return exit;
  };
  const ops = `http://127.0.0.1:${ports.OPS_PORT}`;
  await untilReady(
    ops,
    () => ended,
    () => output,
    kill,
  );
  const setup = JSON.parse(readFileSync(setupFile, 'utf8')) as System['setup'];
  return {
    url: `http://127.0.0.1:${ports.PORT}`,
    ops,
    simulator: `http://127.0.0.1:${ports.SIMULATOR_PORT}`,
    dataDir,
    setup,
    output: () => output,
    kill,
    restart: () => startSystem({ ...env, ...ports }, dataDir),
    async stop() {
      await kill('SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function untilReady(ops: string, ended: () => unknown, output: () => string, kill: System['kill']): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    if (ended()) throw new Error(`the program ended before it was ready:\n${output()}`);
    if (Date.now() > until) {
      await kill();
      throw new Error(`not ready within 60 s:\n${output()}`);
    }
    try {
      if ((await fetch(`${ops}/readyz`, { signal: AbortSignal.timeout(2000) })).ok) return;
    } catch {
      // Not up yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
