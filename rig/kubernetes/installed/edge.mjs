// deploy/edge/nginx.conf before the gateways' pods, by http, and 1,000 requests through it that may be repeated.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PROGRAM = '/usr/sbin/nginx';
const FILE = join(import.meta.dirname, '..', '..', '..', 'deploy', 'edge', 'nginx.conf');
const [REQUESTS, AT_ONCE] = [1000, 8];

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** @param {string[]} gateways their addresses, `10.244.0.7:3000` */
export async function startEdge(gateways) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-edge-'));
  const port = await freePort();
  const site = readFileSync(FILE, 'utf8')
    .replace(/gateway-(\d):3000/g, (_, n) => gateways[n - 1])
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_.*$/gm, '');
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${join(folder, kind)};`);
  const main = `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')};\nevents {}\n`;
  writeFileSync(join(folder, 'nginx.conf'), `${main}http { access_log off;\n${kept.join('\n')}\n${site}\n}\n`);
  const nginx = spawn(PROGRAM, ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const origin = `http://127.0.0.1:${port}`;
  while (!(await fetch(origin).catch(() => undefined))) await sleep(50);
  return {
    origin,
    stop() {
      nginx.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * GETs and POSTs with a key in turn; after a quarter of them `fault` begins. Resolves to what failed, and how many customers there are too many or too few.
 *
 * @param {ReturnType<typeof import('./load.mjs').clientOf>} call through the edge
 * @param {() => Promise<void>} fault
 */
export async function throughEdge(call, fault) {
  const total = async () => (await call('GET', '/customers?per_page=1')).meta.total;
  const before = await total();
  const [failed, made] = [[], new Set()];
  let [begun, broken] = [0, Promise.resolve()];
  const one = async (n) => {
    const started = performance.now();
    try {
      if (n % 2) await call('GET', '/customers?per_page=5');
      else made.add((await call('POST', '/customers', { name: `Customer ${n}` }, { 'idempotency-key': `edge-${before}-${n}` })).id);
    } catch (error) {
      failed.push(error.cause?.code ?? error.message);
    }
    return performance.now() - started;
  };
  const times = [];
  const work = async () => {
    while (begun < REQUESTS) {
      if (begun === REQUESTS / 4) broken = fault();
      times.push(await one(begun++));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await broken;
  const more = (await total()) - before;
  return { sent: begun, failed, doubled: more - made.size, slowest: Math.round(Math.max(...times)) };
}
