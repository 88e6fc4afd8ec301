// A server process under test, bound to one processor if `taskset` is available, and its resource use.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { nodeOptions } from '../tools/node-options.mjs';
import { cpuMicros, isBusy } from './cpu-of.mjs';

const root = join(import.meta.dirname, '..');
const taskset = spawnSync('taskset', ['--version']).status === 0;
const LOOK_EVERY_MS = 20;
/** Limits of an account that are never reached. */
export const UNLIMITED = { plan: 1_000_000_000, burst: 1_000_000_000, submit: 1_000_000_000 };
/** They do not outlive a benchmark that fails. */
const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts `node file` on processor 0, or on the given ones, and waits until `ready(url)` resolves, at most for so many seconds. */
export async function startServer(file, { env = {}, options = [], ready, processors = '0', within = 30 }) {
  const command = [process.execPath, ...options, file];
  const [program, ...args] = taskset ? ['taskset', '-c', processors, ...command] : command;
  const child = spawn(program, args, { env: { ...process.env, NODE_ENV: 'production', ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const started = performance.now();
  while (!(await ready().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`);
    if (performance.now() - started > within * 1000) {
      child.kill('SIGKILL');
      throw new Error(`${file} was not ready after ${within} s`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return {
    pid: child.pid,
    startMs: performance.now() - started,
    /** User and system time so far in µs. Resolution: one tick (10 ms). */
    cpu: () => cpuMicros(child.pid),
    /** A thread of it runs, or waits for a processor or the disk. */
    isBusy: () => isBusy(child.pid),
    /** Milliseconds of processor time so far of the event loop's thread. */
    ranMs: () => Number(readFileSync(`/proc/${child.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    /** Milliseconds so far that the event loop's thread was ready to run while other programs used its processors. */
    waitedMs: () => Number(readFileSync(`/proc/${child.pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6,
    rssMiB: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024,
    stop: () => new Promise((resolve) => (running.has(child) ? (child.once('exit', resolve), child.kill('SIGTERM')) : resolve())),
  };
}

/** Sends one request; returns the answer's JSON, and throws for an answer other than 2xx. */
export async function sendJson(to, key, body, method = body ? 'POST' : 'GET') {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(to, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${method} ${to}: ${response.status} ${await response.text()}`);
  return response.json();
}

/**
 * Starts the system in one process on `folder`, new or of an earlier start, with an account whose limits are never reached. `key`: of that account,
 * for tests; `simulator`: of the tax authorities; `addAccount` makes another one; `data`: the data folder; `call` answers the resource or throws; `metric`: the value of a metric without labels, NaN where there is none. `preload`: a module that runs in the server before it.
 */
export async function startProduct(folder, { env = {}, processors, within, preload } = {}) {
  const [port, opsPort, simulatorPort] = [await freePort(), await freePort(), await freePort()];
  const [url, ops] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${opsPort}`];
  const [data, setup, account] = ['data', 'setup.json', 'account.json'].map((name) => join(folder, name));
  mkdirSync(folder, { recursive: true });
  const server = await startServer(join(root, 'services/standalone/dist/start.mjs'), {
    options: [...nodeOptions, ...(preload ? ['--import', preload] : [])],
    env: {
      ...{ PORT: String(port), OPS_PORT: String(opsPort), SIMULATOR_PORT: String(simulatorPort) },
      ...{ DATA_DIR: data, SETUP_FILE: setup, LOG_LEVEL: 'warn', ...env },
    },
    ready: async () => (await fetch(`${ops}/readyz`)).ok,
    ...(processors && { processors }),
    ...(within && { within }),
  });
  const addAccount = async () => {
    const { admin_token } = JSON.parse(readFileSync(setup, 'utf8'));
    const { id, test_key } = await sendJson(`${ops}/admin/accounts`, admin_token, { name: 'Bench', plan: 'enterprise', limits: UNLIMITED });
    return { url, account: id, key: test_key };
  };
  if (!existsSync(account)) writeFileSync(account, JSON.stringify(await addAccount()));
  const { key, account: id } = JSON.parse(readFileSync(account, 'utf8'));
  return {
    ...server,
    ...{ url, ops, simulator: `http://127.0.0.1:${simulatorPort}`, data, key, account: id, addAccount },
    call: (path, body, method) => sendJson(`${url}/v1${path}`, key, body, method),
    metric: async (name) =>
      Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(await (await fetch(`${ops}/metrics`)).text())?.[1] ?? NaN),
  };
}
