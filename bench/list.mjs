// Lists at a million invoices: rows 8 and 16–18, filters and sorts. The folder is filled once and kept; BENCH_INVOICES=20000 for a quick run.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, fill, kept, started } from './filled.mjs';
import { aim, atMost, load, median, none, open, shown, sleep } from './load.mjs';

const [MANY, FEW] = [Number(process.env.BENCH_INVOICES ?? 1_000_000), 10_000];
const ROUNDS = 5;
/** Of one list, in ms. */
const [LOOKS, LOOK_MS] = [20, 4_000];
const items = Array(3).fill({ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 });
const invoiceFor = ({ customer }) => ({ customer_id: customer, currency: 'EUR', items });

/** Rounds of writes and reads on both by turns: how much more processor time a request takes with many invoices. */
async function growth(many, few) {
  const cases = {
    append: (server) => ({ path: '', method: 'POST', body: JSON.stringify(invoiceFor(server)), amount: 2_000 }),
    get: ({ sample }) => ({
      path: '/x',
      vary: (request) => ({ ...request, path: `/v1/invoices/${sample[Math.floor(Math.random() * sample.length)]}` }),
      amount: 4_000,
    }),
    'page 1': () => ({ path: '', amount: 500 }),
  };
  const one = async (server, make) => {
    const { path, ...options } = make(server);
    const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' };
    return load(server, { url: `${server.url}/v1/invoices${path}`, headers, ...options });
  };
  const rounds = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = -1; round < ROUNDS; round += 1)
    for (const [name, make] of Object.entries(cases)) {
      const [a, b] = [await one(many, make), await one(few, make)];
      if (round >= 0) rounds[name].push({ many: a, few: b });
    }
  return rounds;
}

/** Milliseconds of one list, asked some times, each after `first`, and the longest that a `GET` beside it took. */
async function look(server, query, { client, beside, first = async () => undefined }) {
  const [times, blocks] = [[], []];
  let isOver = false;
  const reads = (async () => {
    for (let at = performance.now(); !isOver; at = performance.now()) {
      await beside.get(`/v1/invoices/${server.sample[0]}`);
      blocks.push(performance.now() - at);
      await sleep(1);
    }
  })();
  const began = performance.now();
  let page;
  while (times.length < LOOKS && performance.now() - began < LOOK_MS) {
    await first();
    const at = performance.now();
    page = await client.get(`/v1/invoices?${query}`);
    times.push(performance.now() - at);
  }
  isOver = true;
  await reads;
  return { p50: median(times), most: Math.max(...times), block: Math.max(...blocks), total: page.meta.total };
}

/** Queries by what they have in common. A filter of one field has its goal by how many invoices match. */
function queriesOf({ customers, numbered, month }) {
  const [from, to] = [`${month}-01`, `${month}-28`];
  const filters = [
    'status=submitted',
    'status=draft',
    'status=failed',
    'type=standard',
    `customer_id=${customers[7]}`,
    `number=${numbered}`,
  ];
  const more = [
    'currency=EUR',
    'currency=CHF',
    'series=B',
    'payment_status=unpaid',
    `created_from=${from}&created_to=${to}`,
    `issue_from=${from}&issue_to=${to}`,
  ];
  const sorts = ['created_at', 'issue_date', '-issue_date', 'number', '-number', 'total', '-total'];
  return {
    'one filter': [...filters, ...more],
    'customer and status': [`customer_id=${customers[7]}&status=submitted`],
    sort: sorts.map((sort) => `sort=${sort}`),
    other: [
      'status=submitted&sort=-total',
      `currency=USD&issue_from=${from}`,
      `customer_id=${customers[7]}&sort=total`,
      `series=B&status=submitted&created_from=${from}`,
    ],
  };
}
const BROAD = 100_000;
const goalOf = {
  'one filter': ({ total }) => (total > BROAD ? 40 : 10),
  'customer and status': () => 10,
  sort: () => 10,
  other: () => 300,
};

async function lists(server) {
  const [client, beside] = [open(server, 1), open(server, 1)];
  const clients = { client, beside };
  const row = (figure, { p50, ...rest }, goal) => ({
    ...(goal ? aim(`${figure}, p50 ms`, p50, goal) : shown(`${figure}, p50 ms`, p50)),
    ...rest,
  });
  const submitted = await client.get('/v1/invoices?status=submitted&per_page=1');
  const last = (await client.get('/v1/invoices')).meta.last_page;
  const deep = Math.min(10_000, last);
  const pages = [];
  for (let round = 0; round <= ROUNDS; round += 1)
    pages.push({ first: await look(server, 'page=1', clients), deep: await look(server, `page=${deep}`, clients) });
  pages.shift();
  const rows = [
    row('page 1', pages[0].first),
    row(`page ${deep}`, pages[0].deep),
    atMost(`8 page ${deep} ÷ page 1`, median(pages.map((round) => round.deep.p50 / round.first.p50)), 1.3),
    row('page 1 of 100 items', await look(server, 'per_page=100', clients)),
  ];
  const [{ number }] = submitted.data;
  const all = queriesOf({ customers: server.customers, numbered: number, month: server.month });
  const afterWrite = all['one filter'].filter((query) => !query.startsWith('number='));
  for (const [kind, queries] of Object.entries(all))
    for (const query of queries) {
      const found = await look(server, query, clients);
      rows.push(row(`8 ${kind}: ${query.replace(/cust_\w+/, 'cust_…')}`, found, goalOf[kind](found)));
      if (kind === 'one filter' && found.total > BROAD)
        rows.push(row('8 … its page 2', await look(server, `${query}&page=2`, clients), 10));
    }
  // A write of the account before each list: its count cannot be the one of before.
  const first = () => client.post('/v1/invoices', invoiceFor(server));
  for (const query of afterWrite) {
    const found = await look(server, query, { ...clients, first });
    rows.push(row(`8 after a write each: ${query.replace(/cust_\w+/, 'cust_…')}`, found, goalOf['one filter'](found)));
  }
  await Promise.all([client.close(), beside.close()]);
  return rows;
}

/** Reads of the database for pages at the beginning, in the middle and at the end, in many orders and with many filters: the one that took the most processor time. */
async function longestRead(folder) {
  const file = join(folder, 'statements.json');
  const preload = join(import.meta.dirname, 'statements.mjs');
  const server = await started(folder, { preload, env: { BENCH_STATEMENTS: file } });
  const client = open(server, 1);
  process.kill(server.pid, 'SIGUSR2');
  const filters = [
    '',
    'status=submitted',
    'status=draft&currency=USD',
    `customer_id=${server.customers[7]}`,
    'currency=CHF',
    `created_from=${server.month}-01`,
  ];
  for (const filter of filters)
    for (const sort of ['-created_at', 'number', '-total', 'issue_date']) {
      const { meta } = await client.get(`/v1/invoices?${filter}&sort=${sort}`);
      for (const page of [Math.ceil(meta.last_page / 2), meta.last_page])
        await client.get(`/v1/invoices?${filter}&sort=${sort}&page=${page}`);
    }
  await client.close();
  await server.stop();
  const [first] = JSON.parse(readFileSync(file, 'utf8'));
  return { ...atMost('the longest read of a request, ms of processor time', first.ms, 20), sql: first.sql };
}

export async function run() {
  const small = mkdtempSync(join(tmpdir(), 'svc-bench-list-few-'));
  const { folder, isKept, buildSeconds, builtMiB } = await kept(MANY);
  await fill(small, FEW);
  await build(small);
  const [many, few] = [await started(folder), await started(small)];
  const rounds = await growth(many, few);
  await few.stop();
  rmSync(small, { recursive: true });
  const listed = await lists(many);
  const loadedMiB = many.rssMiB();
  await many.stop();
  const longest = await longestRead(folder);
  const grown = (name) => median(rounds[name].map(({ many, few }) => many.cpuMicros / few.cpuMicros));
  const both = (name) =>
    `${['few', 'many'].map((of) => Math.round(median(rounds[name].map((round) => round[of].cpuMicros)))).join(' → ')} µs`;
  const wrong = Object.values(rounds).flatMap((all) => all.flatMap(({ many, few }) => [many.wrong, few.wrong]));
  const built = isKept ? 'those read models built that an earlier run lacked' : 'read models built';
  return [
    shown(`${MANY} invoices: seeded${isKept ? ', by an earlier run' : ''}, s`, many.seedSeconds),
    shown(`${MANY} invoices: ${built}, s`, buildSeconds),
    ...listed,
    longest,
    ...Object.entries({ append: 1.3, get: 4, 'page 1': 1.3 }).map(([name, goal]) => ({
      ...atMost(`16 ${FEW} → ${MANY}: ${name} (CPU)`, grown(name), goal),
      cpu: both(name),
    })),
    atMost('17 memory idle, MiB', few.idleMiB, 160),
    shown(`17 memory with ${MANY}, at the start, MiB`, many.startedMiB),
    shown(`17 memory after ${built}, MiB`, builtMiB),
    atMost(`17 memory after this load on ${MANY}, MiB`, loadedMiB, 420),
    aim('18 start, empty, ms', few.emptyStartMs, 800),
    aim(`18 start with ${MANY}, ms`, many.startMs, 1_000),
    none(
      'answers that were not 2xx',
      wrong.reduce((sum, one) => sum + one, 0),
    ),
  ];
}
