// npm run bench copy: what the continuous copy costs a POST, in processor time and in waiting: two processes of the same build, one with it, loaded by turns.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aim, atMost, atRest, load, median, none, oneByOne, shown, sleep, WARM } from './load.mjs';
import { startProduct } from './server.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 12);
const [SECONDS, ALONE_SECONDS] = [3, 1];
/** The copy of the last second, and its note of the end each five seconds, come after the load. */
const AFTER_MS = 1_500;
const BASE_WITHIN_MS = 60_000;
/** More than without it. */
const GOAL_PERCENT = 2;
const items = Array(3).fill({ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 });

async function start(folder, env) {
  const server = await startProduct(folder, { env });
  const { id: customer_id } = await server.call('/customers', { name: 'Bench' });
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' };
  const post = { url: `${server.url}/v1/invoices`, method: 'POST', headers, body: JSON.stringify({ customer_id, currency: 'EUR', items }) };
  return { ...server, post };
}

/** Until the first backup is made and verified, from which the records of the continuous copy lead on where there is one. */
async function backedUp(server, metric) {
  const until = performance.now() + BASE_WITHIN_MS;
  while (!((await server.metric(metric)) > 0)) {
    if (performance.now() > until) throw new Error(`${metric} is still 0`);
    await sleep(200);
  }
  await atRest(server);
}

/** One turn: µs of processor time of a POST, with what follows it in the background, milliseconds until its answer at 64 clients and at one. */
async function turn(server) {
  const before = server.cpu();
  const { requests, p50, p99, wrong, waited } = await load(server, { ...server.post, seconds: SECONDS });
  await sleep(AFTER_MS);
  const cpuMicros = (server.cpu() - before) / requests;
  return { cpuMicros, p50, p99, alone: median(await oneByOne({ ...server.post, seconds: ALONE_SECONDS })), wrong, waited, requests };
}

/** Each round has both, first the one and then the other in turn: what the machine does beside it concerns both alike. */
async function rounds(without, copied) {
  const found = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const round = {};
    const order = [
      ['without', without],
      ['copied', copied],
    ];
    for (const [name, server] of n % 2 ? order.reverse() : order) round[name] = await turn(server);
    found.push(round);
  }
  return found;
}

const bytesIn = (folder) =>
  readdirSync(folder, { recursive: true }).reduce((sum, name) => {
    const { size } = statSync(join(folder, name));
    return name.endsWith('.pages') ? sum + size : sum;
  }, 0);

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-copy-'));
  const backups = join(folder, 'backups');
  const env = { BACKUP_EVERY: '24h', BACKUP_FOLDER: backups };
  // Both make backups, so that they differ by the continuous copy alone.
  const without = await start(join(folder, 'without'), { ...env, BACKUP_FOLDER: join(folder, 'others') });
  const copied = await start(join(folder, 'copied'), { ...env, BACKUP_CONTINUOUS: 'true' });
  try {
    await backedUp(without, 'svc_backup_newest_timestamp_seconds');
    await backedUp(copied, 'svc_backup_copy_timestamp_seconds');
    for (const server of [without, copied]) await load(server, { ...server.post, amount: WARM });
    const [bytesBefore, failures] = [bytesIn(backups), () => copied.metric('svc_backup_copy_failures_total')];
    const all = await rounds(without, copied);
    const bytes = bytesIn(backups) - bytesBefore;
    const late = Date.now() / 1_000 - (await copied.metric('svc_backup_copy_timestamp_seconds'));
    return [
      ...rowsOf(all, bytes),
      aim('the copy ends so long ago, s', late, 10),
      none('tries that could not be written', await failures()),
    ];
  } finally {
    await Promise.all([without.stop(), copied.stop()]);
    rmSync(folder, { recursive: true });
  }
}

function rowsOf(all, bytes) {
  const of = (name, field) => median(all.map((round) => round[name][field]));
  /** Per cent, the median over the rounds. */
  const more = (field) => 100 * median(all.map(({ without, copied }) => copied[field] / without[field] - 1));
  const sum = (name, field) => all.reduce((total, round) => total + round[name][field], 0);
  return [
    ...['without', 'copied'].map((name) =>
      shown(`a POST, ${name === 'copied' ? 'with the copy' : 'without'}, µs`, of(name, 'cpuMicros'), {
        ...{ p50: of(name, 'p50'), p99: of(name, 'p99'), alone: of(name, 'alone') },
        waited: `${Math.round(of(name, 'waited') * 100)} %`,
      }),
    ),
    atMost('more processor time with it, %', more('cpuMicros'), GOAL_PERCENT),
    atMost('more milliseconds of one client, %', more('alone'), GOAL_PERCENT),
    shown('more at 64 clients, p50, %', more('p50')),
    shown('… p99, %', more('p99')),
    shown('bytes that a POST adds to the copy', bytes / sum('copied', 'requests')),
    none('answers that were not 2xx', sum('without', 'wrong') + sum('copied', 'wrong')),
  ];
}
