// npm run bench documents: processor time of PDF and UBL of 3 and of 500 lines, links included, and how long GETs of others wait while files of 500 lines are made.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { aim, atMost, atRest, none, open, quantile, shown, steadily } from './load.mjs';
import { startProduct } from './server.mjs';

const [WARM_UP, FILES] = [15, 20];
const [SECONDS, GETS] = [8, 100];
/** What a request of others may wait for a file, in ms. */
const MOST_WAIT = 50;

const lines = (count) =>
  Array.from({ length: count }, (_, n) => ({
    description: `Article ${n + 1} of the catalogue`,
    quantity: 2,
    unit_price: 50.25,
    tax_rate: 20,
  }));

/** Links are limited by address: each file is asked for from another one. */
let asked = 0;
const address = () => `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked++ & 255}`;

async function download(url) {
  const answer = await fetch(url, { headers: { 'x-forwarded-for': address() } });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return (await answer.arrayBuffer()).byteLength;
}

/** Milliseconds of reads of a small invoice, from the moment when each was due; `waited`: the share of the time that the event loop's thread waited for a processor. */
async function reads(client, id, server) {
  const times = [];
  const [waited, began] = [server.waitedMs(), performance.now()];
  const failures = [];
  await steadily(GETS, SECONDS, async (_, due) => {
    await client.get(`/v1/invoices/${id}`).catch((error) => failures.push(error));
    times.push(performance.now() - due);
  });
  return { times, failed: failures.length, waited: (server.waitedMs() - waited) / (performance.now() - began) };
}

/** Makes files one after the other until `until` is over. */
async function filesUntil(until, file) {
  let made = 0;
  let isOver = false;
  const over = until.finally(() => (isOver = true));
  for (; !isOver; made += 1) await file();
  await over;
  return made;
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-documents-'));
  const server = await startProduct(folder, {
    env: { AUTHORITY_PACE: 'fast', TRUSTED_PROXIES: 'loopback' },
    processors: `0-${cpus().length - 1}`,
  });
  const client = open(server);
  const customer = await server.call('/customers', { name: 'Bench', address: { country: 'FR' } });
  const issued = async (count) => {
    const { id } = await client.post('/v1/invoices', { customer_id: customer.id, items: lines(count) });
    await client.post(`/v1/invoices/${id}/submit`, {});
    while ((await client.get(`/v1/invoices/${id}`)).status !== 'submitted') await new Promise((resolve) => setTimeout(resolve, 20));
    return id;
  };
  const [small, large, others] = [await issued(3), await issued(500), await issued(3)];
  const cases = [
    ['PDF, 3 lines', small, 'pdf'],
    ['PDF, 500 lines', large, 'pdf'],
    ['UBL, 3 lines', small, 'ubl'],
    ['UBL, 500 lines', large, 'ubl'],
  ];
  const file = async (id, format) => download((await client.get(`/v1/invoices/${id}/${format}`)).url);

  const rows = [];
  for (const [name, id, format] of cases) {
    for (let n = 0; n < WARM_UP; n += 1) await file(id, format);
    await atRest(server);
    const [before, ran, began] = [server.cpu(), server.ranMs(), performance.now()];
    let bytes;
    for (let n = 0; n < FILES; n += 1) bytes = await file(id, format);
    const ms = (performance.now() - began) / FILES;
    await atRest(server);
    rows.push(shown(`${name}: link and file, CPU ms`, (server.cpu() - before) / FILES / 1000, { 'ms each': ms, bytes }));
    rows.push(atMost(`${name}: of that in the event loop, where others wait, ms`, (server.ranMs() - ran) / FILES, MOST_WAIT));
  }

  await reads(client, others, server); // warms the code
  const alone = await reads(client, others, server);
  const most = ({ times, waited }) => ({ p50: quantile(times, 0.5), p99: quantile(times, 0.99), most: Math.max(...times), waited });
  rows.push(shown('GET, ms: nothing else, p99', most(alone).p99, most(alone)));
  let failed = alone.failed;
  for (const [name, id, format] of cases.filter(([, id]) => id === large)) {
    const reading = reads(client, others, server);
    const made = await filesUntil(reading, () => file(id, format));
    const during = await reading;
    failed += during.failed;
    rows.push({
      ...aim(`GET, ms: while files are made (${name}), p99`, most(during).p99, most(alone).p99 + MOST_WAIT),
      ...{ ...most(during), files: made },
    });
  }
  rows.push(none('GETs that failed', failed));
  await client.close();
  await server.stop();
  rmSync(folder, { recursive: true });
  return rows;
}
