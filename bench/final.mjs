// What an invoice costs from its submission until its fiscal code and its rows, beside a draft, in processor time of one process with the sandbox authority in it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atMost, atRest, each, load, median, none, open, shown } from './load.mjs';
import { microsByFolder } from './parts.mjs';
import { startProduct } from './server.mjs';

const [AT_ONCE, ROUNDS, PROFILED] = [1_000, 5, 2_000];
const items = Array(3).fill({ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 });
const GOAL_MICROS = 1_200;
const REGISTERED_WITHIN_MS = 60_000;

/**
 * What runs under each name, by the folder of the innermost function of ours on the stack: the first that fits. What is under none is
 * Node's own: sockets, parsing of HTTP, timers.
 */
const PARTS = [
  ['simulator', /authority-simulator\/(?:src|dist)\//],
  ['number', /invoicing\/(?:src|dist)\/numbering\/|event-store\/(?:src|dist)\/sequence/],
  ['submit and outcome', /invoicing\/(?:src|dist)\//],
  ['open and call', /fiscal-submission\/(?:src|dist)\//],
  ['webhook events', /webhooks-dispatcher\/(?:src|dist)\//],
  ['reports', /reporting\/(?:src|dist)\//],
  ['publish and consume', /event-bus\/(?:src|dist)\//],
  ['rows', /document-store\/(?:src|dist)\//],
  ['events', /(?:event-store|embedded)\/(?:src|dist)\//],
  ['edge', /(?:gateway|standalone|service|contracts|kernel)\/(?:src|dist)\//],
];

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-final-'));
  const profile = join(folder, 'profile.json');
  const server = await startProduct(folder, {
    env: { PROFILE_FILE: profile },
    preload: join(import.meta.dirname, 'profiler.mjs'),
  });
  const { id: customer_id } = await server.call('/customers', { name: 'Bench' });
  const request = {
    url: `${server.url}/v1/invoices`,
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ customer_id, currency: 'EUR', items }),
  };
  const client = open(server);
  let wrong = 0;

  async function drafts(amount) {
    const ids = [];
    const { cpuMicros, wrong: failed } = await load(server, { ...request, amount, hear: (text) => ids.push(JSON.parse(text).id) });
    wrong += failed;
    return { ids, cpuMicros };
  }

  /** µs of each from its submission until nothing follows it any more. */
  async function submitted(ids, clients) {
    const before = server.cpu();
    await each(ids, (id) => client.post(`/v1/invoices/${id}/submit`, {}), clients);
    const until = performance.now() + REGISTERED_WITHIN_MS;
    while ((await client.get('/v1/invoices?status=submitting&per_page=1')).meta.total > 0 && performance.now() < until)
      await atRest(server);
    await atRest(server);
    const micros = (server.cpu() - before) / ids.length;
    if ((await client.get(`/v1/invoices/${ids.at(-1)}`)).fiscal?.code == null) wrong += 1;
    return micros;
  }

  await submitted((await drafts(2 * AT_ONCE)).ids, 64);
  const rounds = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const [few, many] = [await drafts(AT_ONCE), await drafts(AT_ONCE)];
    rounds.push({ draft: (few.cpuMicros + many.cpuMicros) / 2, few: await submitted(few.ids, 16), many: await submitted(many.ids, 64) });
  }
  const { ids } = await drafts(PROFILED);
  const parts = await microsByFolder(server, profile, PARTS, () => submitted(ids, 64));
  await client.close();
  await server.stop();
  rmSync(folder, { recursive: true });

  const of = (name) => median(rounds.map((round) => round[name]));
  const micros = Object.entries(parts).map(([part, sum]) => [part, sum / PROFILED]);
  const simulator = (parts.simulator ?? 0) / PROFILED;
  return [
    shown('a draft, µs', of('draft')),
    shown('from submit to its code, 16 clients, µs', of('few')),
    shown('from submit to its code, 64 clients, µs', of('many')),
    shown('… ÷ a draft', of('many') / of('draft')),
    atMost('… without the simulator, µs', of('many') - simulator, GOAL_MICROS),
    ...micros.sort(([, a], [, b]) => b - a).map(([part, value]) => shown(`of it, profiled: ${part}, µs`, value)),
    none('wrong answers', wrong),
  ];
}
