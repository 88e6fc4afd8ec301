// Webhook deliveries of the whole system: rows 10–13. What one costs is a difference between drafts of accounts. With an endpoint that never answers a
// draft's delivery is made, which is what it costs more than with none; with one that answers it is also signed, sent and recorded. BENCH_PARTS=1 prints that by
// part of the program, from profiles.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aim, atLeast, atRest, load, median, none, open, quantile, shown, sleep, steadily, WARM } from './load.mjs';
import { partsDuring } from './parts.mjs';
import { startReceiver } from './receiver.mjs';
import { startRedis } from './redis.mjs';
import { freePort, startProduct, startServer } from './server.mjs';

/** A multiple of the three accounts that are compared. */
const ROUNDS = 9;
const HANGING_ROUNDS = 5;
const AT_ONCE = 4_000;
const PROFILED_ROUNDS = 3;
const [HALF_LOAD_SECONDS, LIST_EVERY] = [10, 20];
const items = Array(3).fill({ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 });

/** An account with an endpoint for each path, and the request that makes its drafts. */
async function accountOf(server, receiver, paths) {
  const account = await server.addAccount();
  const client = open(account);
  const customer = await client.post('/v1/customers', { name: 'Bench' });
  for (const path of paths) await client.post('/v1/webhooks', { url: receiver.url + path, events: ['*'] });
  await client.close();
  const body = { customer_id: customer.id, currency: 'EUR', items };
  const headers = { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' };
  return { ...account, body, request: { url: `${server.url}/v1/invoices`, method: 'POST', headers, body: JSON.stringify(body) } };
}

async function baseline(file, env) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const server = await startServer(join(import.meta.dirname, 'baselines', file), {
    env: { PORT: String(port), ...env },
    ready: async () => (await fetch(url)).ok,
  });
  /** Sends so many; µs of processor time each, of Redis too. */
  async function send(count, redis) {
    const cpu = () => server.cpu() + (redis?.cpu() ?? 0);
    const [before, began] = [cpu(), performance.now()];
    const { ok } = await fetch(`${url}?n=${count}`);
    if (!ok) throw new Error(`${file} did not send`);
    const perSecond = (count * 1000) / (performance.now() - began);
    await atRest({ cpu, isBusy: server.isBusy });
    return { perSecond, cpuMicros: (cpu() - before) / count };
  }
  return { ...server, send };
}

/** One round of drafts, and of their deliveries to the path until the last, if they have one. `rate`: of those per second. */
async function round(server, receiver, account, path) {
  const [began, before] = [performance.now(), receiver.received(path)];
  const result = await load(server, { ...account.request, amount: AT_ONCE });
  if (!path) return result;
  const missing = () => result.requests - (receiver.received(path) - before);
  for (let n = 0; n < 300 && missing() > 0; n += 1) await sleep(100);
  return { ...result, missing: missing(), rate: (result.requests * 1000) / (receiver.lastAt(path) - began) };
}

const rotated = (list, n) => [...list.slice(n % list.length), ...list.slice(0, n % list.length)];

/** Drafts at this rate: milliseconds from when each was due until its webhook came, and how often a list after the answer lacked it. */
async function latency(account, rate, came) {
  const client = open(account);
  const due = new Map();
  let stale = 0;
  await steadily(rate, HALF_LOAD_SECONDS, async (n, at) => {
    const { id } = await client.post('/v1/invoices', account.body);
    due.set(id, at);
    if (n % LIST_EVERY > 0) return;
    const { id: customer_id } = await client.post('/v1/customers', { name: 'Listed' });
    const own = await client.post('/v1/invoices', { ...account.body, customer_id });
    const { data } = await client.get(`/v1/invoices?customer_id=${customer_id}`);
    if (data[0]?.id !== own.id) stale += 1;
  });
  await sleep(1_000);
  await client.close();
  return { times: [...due].map(([id, at]) => (came.get(id) ?? Infinity) - at), stale };
}

/** Prints what a delivery that is signed, sent and recorded costs by part, in µs: a profile takes some of it itself. */
async function printParts(server, receiver, { hung, hooked }, file) {
  const rounds = (account, path) => async () => {
    for (let n = 0; n < PROFILED_ROUNDS; n += 1) await round(server, receiver, account, path);
  };
  const made = await partsDuring(server, file, rounds(hung));
  const sent = await partsDuring(server, file, rounds(hooked, '/hook'));
  const micros = Object.entries(sent).map(([part, sum]) => [part, (sum - (made[part] ?? 0)) / (PROFILED_ROUNDS * AT_ONCE)]);
  const shownParts = micros.filter(([part]) => part !== 'nothing').sort(([, a], [, b]) => b - a);
  console.table(Object.fromEntries(shownParts.map(([part, value]) => [part, { 'µs of a delivery': Number(value.toFixed(1)) }])));
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-webhooks-'));
  const came = new Map();
  let last;
  const receiver = await startReceiver((body, at) => {
    last = body;
    const id = /"id":"(inv_[^"]+)"/.exec(body)?.[1];
    if (id) came.set(id, at);
  });
  const profile = process.env.BENCH_PARTS && join(folder, 'profile.json');
  const preload = profile && join(import.meta.dirname, 'profiler.mjs');
  const server = await startProduct(folder, { env: { WEBHOOKS_ALLOW: receiver.url, PROFILE_FILE: profile ?? '' }, preload });
  const accounts = {
    plain: await accountOf(server, receiver, []),
    hung: await accountOf(server, receiver, ['/hang']),
    hooked: await accountOf(server, receiver, ['/hook']),
    besides: await accountOf(server, receiver, ['/beside', '/hang']),
  };
  for (const name of ['plain', 'hooked']) await load(server, { ...accounts[name].request, amount: WARM });
  const body = join(folder, 'body.json');
  writeFileSync(body, last);
  const to = { BODY: body, TO: `${receiver.url}/baseline` };
  const bare = await baseline('undici.mjs', to);
  const redis = await startRedis(folder);
  const bullmq = redis && (await baseline('bullmq.mjs', { ...to, REDIS_PORT: String(redis.port) }));
  await bare.send(WARM);
  await bullmq?.send(WARM);

  const rounds = [];
  const paths = { plain: undefined, hung: undefined, hooked: '/hook' };
  for (let n = 0; n < ROUNDS; n += 1) {
    const results = {};
    // Each comes first, second and third: the first after a pause takes more.
    for (const name of rotated(Object.keys(paths), n)) results[name] = await round(server, receiver, accounts[name], paths[name]);
    rounds.push({ ...results, bare: await bare.send(AT_ONCE), bullmq: await bullmq?.send(AT_ONCE, redis) });
  }
  const hanging = [];
  for (let n = 0; n < HANGING_ROUNDS; n += 1) {
    const alone = await round(server, receiver, accounts.hooked, '/hook');
    hanging.push({ alone, besides: await round(server, receiver, accounts.besides, '/beside') });
  }
  if (profile) await printParts(server, receiver, accounts, profile);
  const half = median(hanging.map(({ alone }) => alone.rate)) / 2;
  const waited = server.waitedMs();
  const { times, stale } = await latency(accounts.hooked, half, came);
  const waitedMs = server.waitedMs() - waited;
  for (const one of [server, bare, bullmq, redis, receiver]) await (one?.stop ?? one?.close)?.();
  rmSync(folder, { recursive: true });

  const cost = (name) => rounds.reduce((sum, one) => sum + one[name].cpuMicros, 0) / rounds.length;
  const [making, sending] = [cost('hung') - cost('plain'), cost('hooked') - cost('hung')];
  const all = [
    ...rounds.flatMap(({ plain, hung, hooked }) => [plain, hung, hooked]),
    ...hanging.flatMap(({ alone, besides }) => [alone, besides]),
  ];
  const sum = (field) => all.reduce((total, one) => total + (one[field] ?? 0), 0);
  return [
    shown('a delivery made, µs', making),
    shown('a delivery signed, sent, recorded, µs', sending),
    shown('bare undici, µs', cost('bare')),
    atLeast('10 deliveries ÷ bare undici (CPU)', cost('bare') / sending, 0.45),
    shown('10 … with their making', cost('bare') / (making + sending)),
    ...(bullmq
      ? [
          shown('BullMQ + undici and its Redis, µs', cost('bullmq')),
          shown('BullMQ + undici, a second', median(rounds.map((one) => one.bullmq.perSecond))),
          atLeast('11 deliveries, with their making, ÷ BullMQ + undici (CPU)', cost('bullmq') / (making + sending), 2),
        ]
      : [{ figure: '11 not measured: redis-server is not installed', value: undefined, goal: '>= 2', ok: undefined }]),
    shown('drafts with their deliveries, a second', median(hanging.map(({ alone }) => alone.rate))),
    atLeast(
      '12 one endpoint hangs: rate of the healthy one ÷ alone',
      median(hanging.map(({ alone, besides }) => besides.rate / alone.rate)),
      0.9,
    ),
    {
      ...aim(`13 command → first attempt at ${Math.round(half)}/s, p99 ms`, quantile(times, 0.99), 50),
      p50: median(times),
      most: Math.max(...times),
    },
    shown('13 … the event loop waited for a processor, ms', waitedMs),
    none('13 lists after an own write that lacked it', stale),
    none('answers that were not 2xx', sum('wrong')),
    none('deliveries that did not come', sum('missing')),
  ];
}
