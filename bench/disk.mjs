// Row 20: reads while every sync of the disk hangs, and writes acknowledged before their sync. A library of C that is preloaded into the server delays its
// syncs, of all threads, and records them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { aim, each, none, open, quantile, shown, sleep, steadily } from './load.mjs';
import { startProduct } from './server.mjs';

const [SECONDS, HANG_MS, INVOICES] = [10, 700, 1_000];
/** A system that does not keep up is not waited for any longer. */
const OVER_AFTER_MS = 3 * SECONDS * 1_000;
/** Per second. One command of ten submits an earlier draft. */
const RATES = { commands: 80, gets: 100, lists: 10, checks: 10 };
const HANGING = `each sync hangs ${HANG_MS} ms`;
const MOST_AT_ONCE = 512;
const items = Array(3).fill({ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 });

/** The syncs so far of files whose path ends like this. */
const syncsOf = (log, end) =>
  readFileSync(log, 'utf8')
    .split('\n')
    .map((line) => /^(\d+) (\d+) (-?\d+) (.*)$/.exec(line))
    .filter((line) => line && line[3] === '0' && line[4].endsWith(end))
    .map(([, began, ended]) => ({ began: BigInt(began), ended: BigInt(ended) }));

/** Some seconds of commands and reads. Milliseconds of each from the moment when it was due, and when each command was sent and answered. */
async function phase(server, ids, customer) {
  const [writing, reading, checking] = [server.url, server.url, server.ops].map((url) => open({ url, key: server.key }, MOST_AT_ONCE));
  const times = { commands: [], gets: [], lists: [], checks: [] };
  const commands = [];
  const [drafts, failures] = [[], []];
  async function command(n) {
    const sent = process.hrtime.bigint();
    const id = n % 10 === 9 && drafts.shift();
    if (id) await writing.post(`/v1/invoices/${id}/submit`, {});
    else drafts.push((await writing.post('/v1/invoices', { customer_id: customer.id, currency: 'EUR', items })).id);
    commands.push({ sent, answered: process.hrtime.bigint() });
  }
  const works = {
    commands: command,
    gets: () => reading.get(`/v1/invoices/${ids[Math.floor(Math.random() * ids.length)]}`),
    lists: () => reading.get('/v1/invoices'),
    checks: () => checking.get('/readyz'),
  };
  await Promise.all(
    Object.entries(works).map(([name, work]) =>
      steadily(RATES[name], SECONDS, async (n, due) => {
        await work(n).catch((error) => failures.push(error));
        times[name].push(performance.now() - due);
      }),
    ),
  );
  await Promise.all([writing, reading, checking].map((client) => client.close()));
  if (failures.length > 0) console.error(`${failures.length} requests failed, the first with: ${failures[0].message}`);
  return { times, commands, failures: failures.length };
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-disk-'));
  const [library, log, delay] = ['syncs.so', 'syncs.log', 'delay'].map((name) => join(folder, name));
  const compiled = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, join(import.meta.dirname, 'syncs.c'), '-ldl'], {
    encoding: 'utf8',
  });
  if (compiled.error) return [{ figure: '20 not measured: no C compiler (cc) is installed', value: undefined, goal: '', ok: undefined }];
  if (compiled.status !== 0) throw new Error(compiled.stderr);

  const server = await startProduct(folder, {
    env: { LD_PRELOAD: library, SYNC_LOG: log, SYNC_DELAY: delay, AUTHORITY_PACE: 'fast' },
    processors: `0-${cpus().length - 1}`,
  });
  const customer = await server.call('/customers', { name: 'Bench' });
  const client = open(server);
  const ids = [];
  await each(Array(INVOICES).fill({ customer_id: customer.id, items }), async (body) =>
    ids.push((await client.post('/v1/invoices', body)).id),
  );
  await client.close();
  await phase(server, ids, customer); // warms the code
  const phases = {};
  for (const [name, ms] of Object.entries({ 'no hang': 0, [HANGING]: HANG_MS })) {
    writeFileSync(delay, String(ms));
    const over = setTimeout(() => writeFileSync(delay, '0'), OVER_AFTER_MS);
    const [began, waited] = [process.hrtime.bigint(), server.waitedMs()];
    const measured = await phase(server, ids, customer);
    phases[name] = { ...measured, began, ended: process.hrtime.bigint(), processorMs: server.waitedMs() - waited };
    clearTimeout(over);
  }
  writeFileSync(delay, '0');
  await sleep(2 * HANG_MS);
  await server.stop();
  const [walSyncs, all] = [syncsOf(log, '-wal'), syncsOf(log, '')];
  rmSync(folder, { recursive: true });

  return Object.entries(phases).flatMap(([name, { times, commands, failures, began, ended, processorMs }]) => {
    const within = (syncs) => syncs.filter((sync) => sync.began >= began && sync.ended <= ended);
    const unsynced = commands.filter(({ sent, answered }) => !walSyncs.some((sync) => sync.began >= sent && sync.ended <= answered));
    const p99 = (of) => quantile(times[of], 0.99);
    const row = (what, of, judge = shown) => ({
      ...judge(`${name}: ${what}, p99 ms`, p99(of)),
      ...{ p50: quantile(times[of], 0.5), most: Math.max(...times[of]) },
    });
    const waited = times.gets.filter((ms) => ms > HANG_MS / 2).length;
    return [
      ...(name === HANGING
        ? [row('20 GET', 'gets', (figure, value) => aim(figure, value, 50)), none(`${name}: 20 GETs that waited for a sync`, waited)]
        : [row('GET', 'gets')]),
      row('list, page 1', 'lists'),
      row('/readyz', 'checks'),
      row('command', 'commands'),
      none(`${name}: 20 writes acknowledged before their sync`, unsynced.length),
      none(`${name}: requests that failed`, failures),
      shown(`${name}: the event loop waited for a processor, ms`, processorMs),
      shown(`${name}: commands`, commands.length),
      shown(`${name}: syncs of the WAL`, within(walSyncs).length),
      shown(`${name}: syncs of all files`, within(all).length),
    ];
  });
}
