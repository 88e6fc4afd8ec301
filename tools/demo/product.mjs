// The platform on a folder of its own, for the demos: one process, the embedded engine, free ports.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../setup.mjs';

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const say = (text) => console.log(text);

/** Throws unless `holds`, naming what was promised and what was seen. */
export function promised(what, holds, seen) {
  if (!holds) throw new Error(`not as promised: ${what}; seen: ${JSON.stringify(seen)}`);
}

/** The first value of `probe` that is one; throws after `seconds`. */
export async function until(what, probe, seconds = 20) {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await sleep(50)) {
    const value = await probe().catch(() => undefined);
    if (value) return value;
  }
  throw new Error(`not as promised within ${seconds} s: ${what}`);
}

/** Listens on a free port of loopback; returns it. */
export const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));

async function freePort() {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Starts the platform with more settings. `request` sends a call with the test key, `simulator` one of an operator of the tax authorities' simulator.
 * `limits`: of an account of its own; without them it is the demo account.
 */
export async function startProduct({ settings = {}, limits } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-demo-'));
  const [port, opsPort, simulatorPort] = [await freePort(), await freePort(), await freePort()];
  const env = {
    ...process.env,
    ...settings,
    LOG_LEVEL: 'warn',
    PORT: port,
    OPS_PORT: opsPort,
    SIMULATOR_PORT: simulatorPort,
    DATA_DIR: join(folder, 'data'),
    SETUP_FILE: join(folder, 'setup.json'),
  };
  say('Starting the platform: one process, embedded engine, a data folder of its own.');
  const child = spawn(process.execPath, [join(root, 'services/standalone/dist/start.mjs')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  async function stop() {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    await until('/readyz answers 200', async () => (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).ok);
  } catch (error) {
    await stop();
    throw error;
  }
  const setup = JSON.parse(readFileSync(join(folder, 'setup.json'), 'utf8'));
  const openAccount = async () => {
    const headers = { authorization: `Bearer ${setup.admin_token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Demo', plan: 'enterprise', limits });
    return (await fetch(`http://127.0.0.1:${opsPort}/admin/accounts`, { method: 'POST', headers, body })).json();
  };
  const { test_key } = limits ? await openAccount() : setup;
  return {
    stop,
    async request(method, path, body, headers = {}) {
      const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${test_key}`, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { ok: response.ok, status: response.status, answer: await response.json() };
    },
    async simulator(method, path, body) {
      const response = await fetch(`http://127.0.0.1:${simulatorPort}${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
      const answer = await response.json().catch(() => undefined);
      promised(`the simulator takes ${method} ${path}`, response.ok, answer);
      return answer;
    },
  };
}
