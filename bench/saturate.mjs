// What an installation of the five services carries on this machine, with the servers of the rig on it: drafts, then invoices that are submitted and sent
// to a webhook, at rising rates until the p99 of a POST is beyond half a second. Printed are the processor time that each service and server takes an invoice, and what is
// busiest where the rate no longer holds; what the processes take at rest is shown apart, and taken off. Then the ceilings of what one replica does for all.
// `REPLICAS=2` starts two of each service but the gateway and the simulator. At its end it prints what docs/capacity.md quotes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { capacityPage, machine } from './capacity.mjs';
import { ceilings } from './ceilings.mjs';
import { cpuOf } from './cpu-of.mjs';
import { open, quantile, shown, sleep, steadily } from './load.mjs';
import { startReceiver } from './receiver.mjs';
import { withServers } from './servers.mjs';
import { startServices } from './services.mjs';

const SERVICES = ['authority-simulator', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting', 'gateway'];
const FIRST_RATE = { draft: 10, 'submitted invoice': 3 };
const [RISE, MOST_STEPS, SECONDS, SETTLES_MS, WEBHOOKS_WITHIN_MS] = [1.6, 12, 10, 2_000, 30_000];
const IDLE_MS = 10_000;
const P99_MS = 500;
const items = Array(3).fill({ description: 'Consulting', quantity: 2, unit_price: '50.25', tax_rate: '20' });

export const run = () =>
  withServers(async (servers) => {
    const on = machine();
    const receiver = await startReceiver();
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-saturate-'));
    const replicas = Number(process.env.REPLICAS ?? 1);
    const services = await startServices(servers, SERVICES, {
      processors: `0-${cpus().length - 1}`,
      env: { WEBHOOKS_ALLOW: receiver.url },
      ledgerFile: join(folder, 'ledger.sqlite'),
      replicas,
    });
    const account = await services.addAccount();
    const client = open(account, 256);
    const { id: customer_id } = await client.post('/v1/customers', { name: 'Bench' });
    const body = { customer_id, currency: 'EUR', items };
    const pids = { ...servers.pids, ...Object.fromEntries(Object.entries(services.processes).map(([name, { pid }]) => [name, pid])) };
    const work = {
      draft: () => client.post('/v1/invoices', body),
      'submitted invoice': async () => client.post(`/v1/invoices/${(await client.post('/v1/invoices', body)).id}/submit`, {}),
    };
    // They compile meanwhile, and may be late.
    for (const kind of Object.keys(work)) await steadily(FIRST_RATE[kind], SECONDS, () => work[kind]().catch(() => undefined));
    const idle = await atRest(pids);
    const rows = Object.entries(idle).map(([name, micros]) => shown(`thousandths of a processor of ${name} at rest`, micros / 1000));
    const micros = {};
    for (const kind of Object.keys(work)) {
      if (kind === 'submitted invoice') await client.post('/v1/webhooks', { url: `${receiver.url}/hook`, events: ['invoice.submitted'] });
      const steps = [];
      const disk = diskOf(servers.folders);
      for (let rate = FIRST_RATE[kind]; steps.length < MOST_STEPS; rate *= RISE) {
        steps.push(await step(Math.round(rate), work[kind], { pids, idle, receiver: kind === 'draft' ? undefined : receiver }));
        const { p99, failed, holds } = steps.at(-1);
        console.error(`${kind}s at ${Math.round(rate)} a second: p99 ${Math.round(p99)} ms, ${failed} failed`);
        if (!holds) break;
      }
      const made = steps.reduce((sum, { made }) => sum + made, 0);
      micros[kind] = heldOf(steps).micros;
      rows.push(...rowsOf(kind, steps));
      for (const [name, kib] of Object.entries(diskOf(servers.folders)))
        rows.push(shown(`KiB of ${name} on the disk for each ${kind}`, (kib - disk[name]) / made));
    }
    const memory = Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, rssMiB(pid)]));
    rows.push(...Object.entries(memory).map(([name, mib]) => shown(`memory of ${name} afterwards, MiB`, mib)));
    // With two replicas the one that leads is not known.
    if (replicas === 1)
      rows.push(...(await ceilings({ kafka: servers.kafka, namespace: services.namespace, pids, client, body }).catch(notMeasured)));
    await client.close();
    await services.stop();
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
    console.log(`\n${capacityPage({ on, replicas, idle, micros, memory })}`);
    return rows;
  });

const notMeasured = (error) => [{ figure: `the ceilings: ${error.message}`, value: NaN, goal: '', ok: false }];

/** µs a second of each process while nothing is asked. */
async function atRest(pids) {
  await sleep(SETTLES_MS);
  const before = cpuOf(pids);
  await sleep(IDLE_MS);
  const after = cpuOf(pids);
  return Object.fromEntries(Object.keys(pids).map((name) => [name, ((after[name] - before[name]) / IDLE_MS) * 1000]));
}

/** Some seconds at a rate: the times of the requests, and the processor time of each process until all is done, without what it takes at rest. */
async function step(rate, send, { pids, idle, receiver }) {
  const [before, received, began] = [cpuOf(pids), receiver?.received(), performance.now()];
  const times = [];
  let failed = 0;
  await steadily(rate, SECONDS, (_, due) =>
    send().then(
      () => times.push(performance.now() - due),
      () => (failed += 1),
    ),
  );
  const came = () => receiver === undefined || receiver.received() - received >= times.length;
  for (const end = performance.now() + WEBHOOKS_WITHIN_MS; !came() && performance.now() < end;) await sleep(100);
  await sleep(SETTLES_MS);
  const after = cpuOf(pids);
  const passed = (performance.now() - began) / 1000;
  const micros = Object.fromEntries(
    Object.keys(pids).map((name) => [name, Math.max(0, after[name] - before[name] - idle[name] * passed) / rate / SECONDS]),
  );
  const p99 = quantile(times, 0.99) ?? Infinity;
  return {
    rate,
    made: times.length,
    micros,
    p99,
    failed,
    lacking: came() ? 0 : times.length - (receiver.received() - received),
    holds: p99 <= P99_MS && failed === 0,
  };
}

/** The highest rate that holds; else the first. */
const heldOf = (steps) => steps.filter(({ holds }) => holds).at(-1) ?? steps[0];

function rowsOf(kind, steps) {
  const held = heldOf(steps);
  const last = steps.at(-1);
  const busiest = Object.entries(last.micros).sort(([, a], [, b]) => b - a);
  return [
    ...steps.map(({ rate, p99, failed, lacking }) =>
      shown(`${kind}s at ${rate} a second: p99 of the request, ms`, p99, { failed, lacking }),
    ),
    shown(`${kind}s a second that hold`, held.holds ? held.rate : 0),
    ...Object.entries(held.micros).map(([name, micros]) => shown(`µs of ${name} for each ${kind}, at ${held.rate} a second`, micros)),
    shown(
      `µs of all for each ${kind}`,
      Object.values(held.micros).reduce((sum, micros) => sum + micros, 0),
    ),
    ...busiest
      .slice(0, 2)
      .map(([name, micros]) => shown(`share of one processor of ${name} at ${last.rate} a second`, (micros * last.rate) / 1e6)),
  ];
}

/** KiB by server; logs that are not full yet are counted by what they take. */
const diskOf = (folders) =>
  Object.fromEntries(
    Object.entries(folders).map(([name, folder]) => [
      name,
      Number(spawnSync('du', ['-sk', folder], { encoding: 'utf8' }).stdout.split('\t')[0]),
    ]),
  );

const rssMiB = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
