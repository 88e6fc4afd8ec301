// What an installation of the five services carries on this machine, with the servers of the rig on it: drafts, then invoices that are submitted and sent
// to a webhook, at rising rates until the p99 of a POST is beyond half a second. Printed are the processor time that each service and server takes an invoice, and what is
// busiest where the rate no longer holds. `REPLICAS=2` starts two of each service but the gateway and the simulator.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuOf } from './cpu-of.mjs';
import { open, quantile, shown, sleep, steadily } from './load.mjs';
import { startReceiver } from './receiver.mjs';
import { withServers } from './servers.mjs';
import { startServices } from './services.mjs';

const SERVICES = ['authority-simulator', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting', 'gateway'];
const FIRST_RATE = { draft: 40, 'submitted invoice': 5 };
const [RISE, MOST_STEPS, SECONDS, SETTLES_MS, WEBHOOKS_WITHIN_MS] = [1.4, 12, 10, 2_000, 30_000];
const P99_MS = 500;
const items = Array(3).fill({ description: 'Consulting', quantity: 2, unit_price: '50.25', tax_rate: '20' });

export const run = () =>
  withServers(async (servers) => {
    const receiver = await startReceiver();
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-saturate-'));
    const services = await startServices(servers, SERVICES, {
      processors: `0-${cpus().length - 1}`,
      env: { WEBHOOKS_ALLOW: receiver.url },
      ledgerFile: join(folder, 'ledger.sqlite'),
      replicas: Number(process.env.REPLICAS ?? 1),
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
    for (const kind of Object.keys(work)) await steadily(FIRST_RATE[kind], SECONDS, work[kind]); // they compile
    const rows = [];
    for (const kind of Object.keys(work)) {
      if (kind === 'submitted invoice') await client.post('/v1/webhooks', { url: `${receiver.url}/hook`, events: ['invoice.submitted'] });
      const steps = [];
      for (let rate = FIRST_RATE[kind]; steps.length < MOST_STEPS; rate *= RISE) {
        steps.push(await step(Math.round(rate), work[kind], pids, kind === 'draft' ? undefined : receiver));
        if (!steps.at(-1).holds) break;
      }
      rows.push(...rowsOf(kind, steps));
    }
    for (const [name, pid] of Object.entries(pids)) rows.push(shown(`memory of ${name} afterwards, MiB`, rssMiB(pid)));
    await client.close();
    await services.stop();
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
    return rows;
  });

/** Some seconds at a rate: the times of the requests, and the processor time of each process until all is done. */
async function step(rate, send, pids, receiver) {
  const [before, received, began] = [cpuOf(pids), receiver?.received(), performance.now()];
  const times = [];
  let failed = 0;
  await steadily(rate, SECONDS, (_, due) =>
    send().then(
      () => times.push(performance.now() - due),
      () => (failed += 1),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  const came = () => receiver === undefined || receiver.received() - received >= times.length;
  for (const end = performance.now() + WEBHOOKS_WITHIN_MS; !came() && performance.now() < end;) await sleep(100);
  await sleep(SETTLES_MS);
  const after = cpuOf(pids);
  const micros = Object.fromEntries(Object.keys(pids).map((name) => [name, (after[name] - before[name]) / rate / SECONDS]));
  const p99 = quantile(times, 0.99) ?? Infinity;
  return {
    rate,
    micros,
    seconds,
    p99,
    failed,
    lacking: came() ? 0 : times.length - (receiver.received() - received),
    holds: p99 <= P99_MS && failed === 0,
  };
}

function rowsOf(kind, steps) {
  const held = steps.filter(({ holds }) => holds).at(-1) ?? steps[0];
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

const rssMiB = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
