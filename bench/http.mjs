// The HTTP path of the system in one process compared with its baselines: performance rows 1–7, idle memory, start.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edgeMicros } from './edge.mjs';
import { aim, atLeast, atMost, load, median, none, oneByOne, shown, sleep, WARM } from './load.mjs';
import { freePort, startProduct, startServer } from './server.mjs';

const ROUNDS = 5;
/** Invoices of the reads at random, and of one round of first reads. */
const [RANDOM, COLD] = [100_000, 3_500];
const BASELINES = ['bare', 'same', 'durable', 'sync', 'express'];
const items = Array(3).fill({ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 });
const json = { 'content-type': 'application/json' };

/** Of the packages that the baselines are made of. */
const versions = ['fastify', 'ajv', '@nestjs/core', 'express', 'class-validator', 'autocannon'].map((name) => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, `../node_modules/${name}/package.json`), 'utf8'));
  return `${name} ${version}`;
});

async function baseline(file, env = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const ready = async () => (await fetch(`${url}/v1/invoices/x`)).status < 500;
  return { url, ...(await startServer(join(import.meta.dirname, 'baselines', file), { env: { PORT: String(port), ...env }, ready })) };
}

/** Throws where the baseline does not answer as many bytes, in the same fields, as the system. */
async function checkSameBytes(same, ours, body) {
  const asked = (server, headers) => fetch(`${server.url}/v1/invoices`, { method: 'POST', headers: { ...json, ...headers }, body });
  const [one, other] = await Promise.all([asked(same), asked(ours, ours.authorized)]).then(([a, b]) => Promise.all([a.text(), b.text()]));
  const fields = (text) => JSON.stringify(JSON.parse(text, (_, value) => (typeof value === 'string' ? value.length : value)));
  if (one.length !== other.length || fields(one) !== fields(other)) throw new Error(`the baseline answers other bytes:\n${one}\n${other}`);
}

/** What `hear` of a load collects: the ids of the answers. */
const collect = (ids) => (text) => ids.push(/"id":"(inv_[^"]+)"/.exec(text)[1]);

/** The server and the requests of each case. */
function casesOf({ ours, bare, same, durable, sync, express }, { body, invoice, ids }) {
  const post = (server, more = {}) => [server, { url: `${server.url}/v1/invoices`, method: 'POST', headers: json, body, ...more }];
  const headers = { ...json, ...ours.authorized };
  const keyed = (request) => ({ ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } });
  const anyOne = (request) => ({ ...request, path: `/v1/invoices/${ids[Math.floor(Math.random() * RANDOM)]}` });
  const get = (server, more = {}) => [server, { url: `${server.url}/v1/invoices/${invoice.id}`, ...more }];
  return {
    'POST, bare Fastify': post(same),
    'POST, bare Fastify, a durable row': post(durable),
    'POST, bare Fastify, smaller': post(bare),
    'POST, Fastify + transaction each': post(sync),
    'POST, Nest + Express': post(express),
    POST: post(ours, { headers }),
    'POST, Idempotency-Key': post(ours, { headers, vary: keyed }),
    'GET, bare Fastify': get(same),
    'GET, bare Fastify, smaller': get(bare),
    GET: get(ours, { headers: ours.authorized }),
    'GET, 100,000 at random': get(ours, { headers: ours.authorized, vary: anyOne }),
  };
}

/** Invoices that this process has not read yet, each once; its code is warm. */
async function coldReads(folder, ids) {
  const server = await startProduct(folder);
  const get = { url: `${server.url}/v1/invoices/${ids[0]}`, headers: { authorization: `Bearer ${server.key}` } };
  await load(server, { ...get, amount: WARM });
  const rounds = [];
  for (let next = 1; rounds.length < ROUNDS;) {
    const vary = (request) => ({ ...request, path: `/v1/invoices/${ids[next++]}` });
    rounds.push(await load(server, { ...get, amount: COLD, vary }));
  }
  await server.stop();
  return { startMs: server.startMs, rounds };
}

async function measure(folder, servers) {
  const { ours, body, invoice } = servers;
  const ids = [];
  const cases = casesOf(servers, { body, invoice, ids });
  for (const [name, [server, options]] of Object.entries(cases))
    await load(server, { ...options, amount: WARM, ...(name === 'POST' && { amount: RANDOM, hear: collect(ids) }) });
  const rounds = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  const [perCommit, one] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, [server, options]] of Object.entries(cases)) {
      const before = name === 'POST' ? await ours.metric('svc_embedded_commits_total') : 0;
      const result = await load(server, options);
      if (name === 'POST') perCommit.push(result.requests / ((await ours.metric('svc_embedded_commits_total')) - before));
      rounds[name].push(result);
    }
    one.push({
      sync: median(await oneByOne(cases['POST, Fastify + transaction each'][1])),
      ours: median(await oneByOne(cases.POST[1])),
    });
  }
  for (const name of ['ours', ...BASELINES]) await servers[name].stop();
  const cold = await coldReads(folder, ids);
  return { rounds: { ...rounds, 'GET, cold': cold.rounds }, perCommit, one, restartMs: cold.startMs };
}

function rowsOf({ rounds, perCommit, one }) {
  const of = (name, field) => median(rounds[name].map((round) => round[field]));
  const ratio = (a, b, field) => median(rounds[a].map((round, n) => round[field] / rounds[b][n][field]));
  const wrong = Object.values(rounds).flat();
  const share = (baseline, name) => ratio(baseline, name, 'cpuMicros');
  return [
    ...Object.keys(rounds).map((name) =>
      shown(`case ${name}`, of(name, 'perSecond'), {
        cpuMicros: Math.round(of(name, 'cpuMicros')),
        p50: of(name, 'p50'),
        p99: of(name, 'p99'),
        waited: `${Math.round(of(name, 'waited') * 100)} %`,
      }),
    ),
    atLeast('1 POST ÷ bare Fastify, same bytes, a durable row (CPU)', share('POST, bare Fastify, a durable row', 'POST'), 0.4),
    atLeast('1 … with Idempotency-Key', share('POST, bare Fastify, a durable row', 'POST, Idempotency-Key'), 0.32),
    aim('1a … less POST, µs', median(rounds['POST, Idempotency-Key'].map(({ cpuMicros }, n) => cpuMicros - rounds.POST[n].cpuMicros)), 40),
    shown('1 POST ÷ bare Fastify, same bytes', share('POST, bare Fastify', 'POST')),
    shown('1 bare Fastify, a durable row ÷ bare Fastify', share('POST, bare Fastify', 'POST, bare Fastify, a durable row')),
    shown('1 … ÷ bare Fastify, smaller', share('POST, bare Fastify, smaller', 'POST')),
    atLeast('2 POST ÷ Fastify + transaction each (rate)', ratio('POST', 'POST, Fastify + transaction each', 'perSecond'), 2.5),
    atLeast('3 POST ÷ Nest + Express (CPU)', share('POST, Nest + Express', 'POST'), 1),
    atMost('4 one connection: p50 ÷ transaction each', median(one.map(({ ours, sync }) => ours / sync)), 1.6),
    shown('4 … p50, ms', median(one.map(({ ours }) => ours))),
    atLeast('5 commands per fdatasync', median(perCommit), 8),
    atLeast('7 GET invoice ÷ bare Fastify, same bytes (CPU)', share('GET, bare Fastify', 'GET'), 0.55),
    atLeast('7 … 100,000 at random', share('GET, bare Fastify', 'GET, 100,000 at random'), 0.42),
    aim('7 … p99, ms', of('GET, 100,000 at random', 'p99'), 10),
    atLeast('7 … cold', share('GET, bare Fastify', 'GET, cold'), 0.26),
    shown('7 … ÷ bare Fastify, smaller', share('GET, bare Fastify, smaller', 'GET')),
    none(
      'answers that were not 2xx',
      wrong.reduce((sum, round) => sum + round.wrong, 0),
    ),
  ];
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const ours = await startProduct(folder);
  ours.authorized = { authorization: `Bearer ${ours.key}` };
  await sleep(3000);
  const idleMiB = ours.rssMiB();
  const customer = await ours.call('/customers', { name: 'Bench' });
  const asked = { customer_id: customer.id, currency: 'EUR', items };
  const invoice = await ours.call('/invoices', asked);
  const answer = join(folder, 'answer.json');
  writeFileSync(answer, JSON.stringify(invoice));
  const same = await baseline('same-bytes.mjs', { ANSWER: answer });
  const durable = await baseline('same-bytes.mjs', { ANSWER: answer, SQLITE: join(folder, 'durable.sqlite') });
  const bare = await baseline('fastify.mjs');
  const sync = await baseline('fastify.mjs', { SQLITE: join(folder, 'baseline.sqlite') });
  const express = await baseline('nest-express.mjs');
  const body = JSON.stringify(asked);
  await checkSameBytes(same, ours, body);
  const measured = await measure(folder, { ours, bare, same, durable, sync, express, body, invoice });
  rmSync(folder, { recursive: true, force: true });
  return [
    shown('compared with', [...versions, `SQLite ${process.versions.sqlite}`].join(', ')),
    ...rowsOf(measured),
    aim('6 edge, µs', await edgeMicros(), 15),
    atMost('17 idle memory, MiB', idleMiB, 160),
    aim('18 start to ready, ms', ours.startMs, 800),
    shown('18 … on the folder of this run, ms', measured.restartMs),
  ];
}
