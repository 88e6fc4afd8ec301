// How many documents a second one issuer’s chain of records carries: at the live pace of es-verifactu, whose every answer asks to wait a minute before the next
// sending of at most 1,000 records. Takes four minutes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countries } from '../tools/demo/countries.mjs';
import { atMost, none, open, quantile, shown, sleep, steadily } from './load.mjs';
import { startProduct } from './server.mjs';

const [RATE, SECONDS] = [20, 180];
/** A document that just misses a sending of 1,200 records waits for its answer, a minute, and its own sending. */
const GOAL_SECONDS = 90;
const WITHIN_MS = 120_000;

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-chain-'));
  const server = await startProduct(folder, { env: { AUTHORITY_PACE: 'live' } });
  const client = open(server);
  try {
    await server.call('/issuer', { authority: 'es-verifactu' }, 'PATCH');
    const { id: customer_id } = await server.call('/customers', countries['es-verifactu'].customer);
    const items = [{ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 21 }];
    const ids = [];
    const before = server.cpu();
    await steadily(RATE, SECONDS, async () => {
      const { id } = await client.post('/v1/invoices', { customer_id, currency: 'EUR', items });
      ids.push((await client.post(`/v1/invoices/${id}/submit`, {})).id);
    });
    const left = (await client.get('/v1/invoices?status=submitting&per_page=1')).meta.total;
    const until = performance.now() + WITHIN_MS;
    while ((await client.get('/v1/invoices?status=submitting&per_page=1')).meta.total > 0 && performance.now() < until) await sleep(500);
    const micros = (server.cpu() - before) / ids.length;
    const waits = [];
    let late = 0;
    for (const id of ids) {
      const { issued_at, fiscal } = await client.get(`/v1/invoices/${id}`);
      if (fiscal.registered_at !== null) waits.push((Date.parse(fiscal.registered_at) - Date.parse(issued_at)) / 1_000);
      if (fiscal.late) late += 1;
    }
    const { data } = await (await fetch(`${server.simulator}/chains?authority=es-verifactu&limit=100`)).json();
    return [
      shown('documents a second', RATE),
      shown('documents', ids.length),
      shown('waiting when the last one was submitted', left),
      shown('from the number to the code, median, s', quantile(waits, 0.5)),
      atMost('… longest, s', Math.max(...waits), GOAL_SECONDS),
      shown('processor time of a document, the simulator’s with it, µs', micros),
      none('without a code', ids.length - waits.length),
      none('late', late),
      none('breaks of the chain', data.flatMap(({ breaks }) => breaks).length),
    ];
  } finally {
    await client.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}
