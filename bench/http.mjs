// The HTTP path of the system in one process compared with its baselines: performance rows 1–7, idle memory, start.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, median } from './load.mjs';
import { freePort, startServer } from './server.mjs';

const root = join(import.meta.dirname, '..');
const ROUNDS = 5;
const items = Array(3).fill({ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 });
const answers = (url) => async () => (await fetch(url)).status < 500;

async function baseline(file, env = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    ...(await startServer(join(import.meta.dirname, 'baselines', file), {
      env: { PORT: String(port), ...env },
      ready: answers(`${url}/v1/invoices/x`),
    })),
  };
}

async function product(folder) {
  const [port, opsPort, simulatorPort] = [await freePort(), await freePort(), await freePort()];
  const setup = join(folder, 'setup.json');
  const env = {
    PORT: String(port),
    OPS_PORT: String(opsPort),
    SIMULATOR_PORT: String(simulatorPort),
    DATA_DIR: join(folder, 'data'),
    SETUP_FILE: setup,
    LOG_LEVEL: 'warn',
  };
  const [url, ops] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${opsPort}`];
  const started = performance.now();
  const server = await startServer(join(root, 'services/standalone/dist/start.mjs'), {
    env,
    ready: async () => (await fetch(`${ops}/readyz`)).ok,
  });
  const startMs = performance.now() - started;
  const { admin_token } = JSON.parse(readFileSync(setup, 'utf8'));
  const post = async (to, key, body) => {
    const response = await fetch(to, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${to}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const limits = { plan: 1_000_000_000, burst: 1_000_000_000, submit: 1_000_000_000 };
  const { test_key } = await post(`${ops}/admin/accounts`, admin_token, { name: 'Bench', plan: 'enterprise', limits });
  const customer = await post(`${url}/v1/customers`, test_key, { name: 'Bench' });
  const invoice = await post(`${url}/v1/invoices`, test_key, { customer_id: customer.id, currency: 'EUR', items });
  const metric = async (name) =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(await (await fetch(`${ops}/metrics`)).text())?.[1] ?? NaN);
  return { ...server, url, startMs, key: test_key, customer, invoice, metric };
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const ours = await product(folder);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const idleMiB = ours.rssMiB();
  const bare = await baseline('fastify.mjs');
  const sync = await baseline('fastify.mjs', { SQLITE: join(folder, 'baseline.sqlite') });
  const express = await baseline('nest-express.mjs');

  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ customer_id: ours.customer.id, currency: 'EUR', items });
  const keyed = { ...json, authorization: `Bearer ${ours.key}` };
  const post = (server, headers = json, more = {}) => [
    server,
    { url: `${server.url}/v1/invoices`, method: 'POST', headers, body, ...more },
  ];
  const vary = (request) => ({ ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } });
  const cases = {
    bare: post(bare),
    sync: post(sync),
    express: post(express),
    ours: post(ours, keyed),
    oursIdempotent: post(ours, keyed, { vary }),
    bareOne: post(sync, json, { connections: 1 }),
    oursOne: post(ours, keyed, { connections: 1 }),
    bareGet: [bare, { url: `${bare.url}/v1/invoices/inv_1` }],
    oursGet: [ours, { url: `${ours.url}/v1/invoices/${ours.invoice.id}`, headers: keyed }],
  };
  const rounds = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  const perSync = [];
  for (const [server, options] of Object.values(cases)) await load(server, { ...options, seconds: 1 });
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, [server, options]] of Object.entries(cases)) {
      const commits = name === 'ours' ? await ours.metric('svc_embedded_commits_total') : 0;
      const result = await load(server, options);
      if (name === 'ours') perSync.push(result.requests / ((await ours.metric('svc_embedded_commits_total')) - commits));
      rounds[name].push(result);
      if (server === ours) await new Promise((resolve) => setTimeout(resolve, 300)); // background work of this case must not count for the next
    }
  for (const server of [ours, bare, sync, express]) await server.stop();
  rmSync(folder, { recursive: true, force: true });

  const of = (name, field) => median(rounds[name].map((round) => round[field]));
  const ratio = (a, b, field) => median(rounds[a].map((round, n) => round[field] / rounds[b][n][field]));
  const wrong = Object.values(rounds)
    .flat()
    .reduce((sum, round) => sum + round.wrong, 0);
  const atLeast = (figure, value, goal) => ({ figure, value, goal: `>= ${goal}`, ok: value >= goal * 0.75 });
  const atMost = (figure, value, goal) => ({ figure, value, goal: `<= ${goal}`, ok: value <= goal / 0.75 });
  const { edgeMicros } = await import('./edge.mjs');
  return [
    ...Object.keys(cases).map((name) => ({
      figure: `case ${name}`,
      value: of(name, 'perSecond'),
      goal: '',
      ok: true,
      cpuMicros: Math.round(of(name, 'cpuMicros')),
      p50: of(name, 'p50'),
      p99: of(name, 'p99'),
    })),
    atLeast('1 POST ÷ bare Fastify (CPU)', ratio('bare', 'ours', 'cpuMicros'), 0.5),
    atLeast('1 … with Idempotency-Key', ratio('bare', 'oursIdempotent', 'cpuMicros'), 0.42),
    atLeast('2 POST ÷ Fastify + transaction each (rate)', ratio('ours', 'sync', 'perSecond'), 2.5),
    atLeast('3 POST ÷ Nest + Express (CPU)', ratio('express', 'ours', 'cpuMicros'), 1.3),
    atMost('4 one connection: p50 ÷ transaction each', 1 / ratio('oursOne', 'bareOne', 'perSecond'), 1.3),
    atLeast('5 commands per fdatasync', median(perSync), 8),
    atMost('6 edge, µs', await edgeMicros(), 15),
    atLeast('7 GET invoice ÷ bare Fastify (CPU)', ratio('bareGet', 'oursGet', 'cpuMicros'), 0.5),
    atMost('17 idle memory, MiB', idleMiB, 160),
    atMost('18 start to ready, ms', ours.startMs, 800),
    { figure: 'answers that were not 2xx', value: wrong, goal: '0', ok: wrong === 0 },
  ];
}
