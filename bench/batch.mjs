// What a batch of 100 costs against 100 single requests, in processor time, with all that follows in the background; and how long others wait beside one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aim, atMost, load, none, oneByOne, quantile, shown } from './load.mjs';
import { startProduct } from './server.mjs';

const [SIZE, ROUNDS, WARM_ROUNDS] = [100, 60, 60];
const items = Array(3).fill({ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 });
/** As many lines as fit into one body: what takes longest. */
const manyItems = Array(90).fill({ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 });
const GOALS = { '/invoices': 0.35 };

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-batch-'));
  const server = await startProduct(folder);
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' };
  const { id: customer_id } = await server.call('/customers', { name: 'Bench' });
  const bodies = {
    '/invoices': { customer_id, currency: 'EUR', items },
    '/customers': { name: 'Bench', email: 'bench@example.com' },
    '/products': { name: 'Hour', unit_price: 80, currency: 'EUR' },
  };
  /** `amount` requests, each a create of its own or a batch. */
  const send = (path, body, options) =>
    load(server, { url: `${server.url}/v1${path}`, method: 'POST', headers, body: JSON.stringify(body), ...options });
  const batch = (body, count = SIZE) => ({ requests: Array(count).fill(body) });

  const rows = [];
  for (const [path, body] of Object.entries(bodies)) {
    await send(path, body, { amount: SIZE * WARM_ROUNDS });
    await send(`${path}/batch`, batch(body), { amount: WARM_ROUNDS, connections: 1 });
    const single = await send(path, body, { amount: SIZE * ROUNDS });
    const alone = await send(path, body, { amount: SIZE * ROUNDS, connections: 1 });
    const many = await send(`${path}/batch`, batch(body), { amount: ROUNDS, connections: 1 });
    const inBatch = many.cpuMicros / SIZE;
    const ratio = inBatch / alone.cpuMicros;
    rows.push(
      GOALS[path]
        ? atMost(`${path}: batch of ${SIZE} ÷ ${SIZE} one by one`, ratio, GOALS[path])
        : shown(`${path}: batch of ${SIZE} ÷ ${SIZE} one by one`, ratio),
      shown(`${path}: ÷ on 64 connections at once`, inBatch / single.cpuMicros),
      ...Object.entries({
        'in a batch': [inBatch, many],
        'one by one': [alone.cpuMicros, alone],
        'on 64 connections': [single.cpuMicros, single],
      }).map(([how, [micros, { waited }]]) => shown(`${path}: µs of each ${how}`, micros, { waited })),
      none(`${path}: wrong answers`, single.wrong + alone.wrong + many.wrong),
    );
  }

  await server.metric('nodejs_eventloop_lag_max_seconds'); // begins anew
  const heavy = batch({ customer_id, currency: 'EUR', items: manyItems });
  const read = { url: `${server.url}/v1/customers/${customer_id}`, headers, seconds: 6 };
  const [, times] = await Promise.all([send('/invoices/batch', heavy, { seconds: 5, connections: 1 }), oneByOne(read)]);
  const beside = `read beside batches of ${Math.round(JSON.stringify(heavy).length / 1024)} KiB, ms`;
  rows.push(
    aim(`${beside}, p99`, quantile(times, 0.99), 50),
    shown(`${beside}, longest of ${times.length}`, Math.max(...times)),
    shown('longest turn of the event loop meanwhile, ms', 1000 * (await server.metric('nodejs_eventloop_lag_max_seconds'))),
  );
  await server.stop();
  rmSync(folder, { recursive: true });
  return rows;
}
