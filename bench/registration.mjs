// What an invoice costs from its submission until its fiscal code by each authority's adapter, in processor time of one process with the simulator in it: signing,
// in its own thread, and the simulator apart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countries } from '../tools/demo/countries.mjs';
import { threadMicros } from './cpu-of.mjs';
import { atRest, each, none, open, shown } from './load.mjs';
import { microsByFolder } from './parts.mjs';
import { startProduct } from './server.mjs';

const [WARM, MEASURED, PROFILED, CLIENTS] = [1_500, 1_000, 500, 16];
const WITHIN_MS = 300_000;
const PARTS = [
  ['simulator', /authority-simulator\/(?:src|dist)\//],
  ['adapter', /fiscal-submission\/(?:src|dist)\/(?:authorities|xml)\//],
  ['submission', /fiscal-submission\/(?:src|dist)\//],
];

export async function run() {
  const rows = [];
  for (const authority of ['sandbox', ...Object.keys(countries)]) rows.push(...(await measured(authority)));
  return rows;
}

async function measured(authority) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-registration-'));
  const profile = join(folder, 'profile.json');
  const server = await startProduct(folder, {
    env: { PROFILE_FILE: profile, AUTHORITY_PACE: 'fast' },
    preload: join(import.meta.dirname, 'profiler.mjs'),
  });
  const client = open(server);
  try {
    if (authority !== 'sandbox') await server.call('/issuer', { authority }, 'PATCH');
    const draft = await draftsFor(server, client, authority);
    await registered(server, client, await draft(WARM));
    const ids = await draft(MEASURED);
    const [before, signedBefore] = [server.cpu(), signing(server)];
    await registered(server, client, ids);
    const [all, signed] = [(server.cpu() - before) / MEASURED, (signing(server) - signedBefore) / MEASURED];
    const micros = await microsByPart(
      server,
      profile,
      () => draft(PROFILED),
      (profiled) => registered(server, client, profiled),
    );
    const last = await server.call(`/invoices/${ids.at(-1)}`);
    return [
      shown(`${authority}: a registration, all threads, µs`, all),
      shown(`${authority}: … without signing and the simulator, µs`, all - signed - micros('simulator')),
      shown(`${authority}: its adapter, profiled, µs`, micros('adapter')),
      shown(`${authority}: steps, calls and outcome of its submission, profiled, µs`, micros('submission')),
      shown(`${authority}: signing, µs`, signed),
      shown(`${authority}: the simulator, µs`, micros('simulator')),
      none(`${authority}: without a code`, last.fiscal?.code == null ? 1 : 0),
    ];
  } finally {
    await client.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** µs of the event loop for one document, by the name of a part. Samples are taken by the clock on the wall, while other programs run as well. */
async function microsByPart(server, profile, draft, submit) {
  const ids = await draft();
  const before = server.ranMs();
  const parts = await microsByFolder(server, profile, PARTS, () => submit(ids));
  const scale = ((server.ranMs() - before) * 1_000) / Object.values(parts).reduce((sum, value) => sum + value, 0);
  return (name) => ((parts[name] ?? 0) * scale) / PROFILED;
}

const signing = (server) => threadMicros(server.pid, 'signing');

/** Makes drafts of three lines for a customer of the authority's country, and returns their ids. */
async function draftsFor(server, client, authority) {
  const { customer, currency, rates } = countries[authority] ?? { customer: { name: 'Bench' }, currency: 'EUR', rates: [20] };
  const { id: customer_id } = await server.call('/customers', customer);
  const items = Array(3).fill({ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: rates[0] });
  return async (amount) => {
    const ids = [];
    await each(
      Array(amount).fill(0),
      async () => ids.push((await client.post('/v1/invoices', { customer_id, currency, items })).id),
      CLIENTS,
    );
    return ids;
  };
}

/** Submits them and waits until nothing follows any more. Throws where they have no code in time. */
async function registered(server, client, ids) {
  await each(ids, (id) => client.post(`/v1/invoices/${id}/submit`, {}), CLIENTS);
  const until = performance.now() + WITHIN_MS;
  while ((await client.get('/v1/invoices?status=submitting&per_page=1')).meta.total > 0) {
    if (performance.now() > until) throw new Error('documents have no code in time');
    await atRest(server);
  }
  await atRest(server);
}
