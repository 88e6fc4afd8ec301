import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { FakeClock, settleTurns } from '@svc/kernel';
import type { WebhooksContext } from '../context.ts';
import { eventRow } from '../event/event.ts';
import { newDelivery } from './delivery.ts';
import { busAt, customerCreated, rowsOn, shopEndpoint, silent } from './rows.suite.ts';
import { CONTRACT_DELAYS } from './schedule.ts';
import { createSweep } from './sweep.ts';
import { createDeliveryWorker } from './worker.ts';

const HOUR = 3_600_000;
const event = eventRow(customerCreated, 'customer.created');

interface Pending {
  endpoints: number;
  /** Rows of each. */
  each: number;
  /** Milliseconds from now. */
  due: number;
}

/** Pending rows of endpoints of as many accounts; `reads` counts the queries for deliveries. */
async function fixture({ endpoints, each, due }: Pending) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sweep-'));
  const engine = Engine.open(folder, { durable: false });
  const clock = new FakeClock();
  const rows = rowsOn(engine);
  let reads = 0;
  const context: WebhooksContext = {
    ...{ ...rows, bus: busAt(0), clock, logger: silent, publicUrl: '', lookEvery: 60_000, delays: CONTRACT_DELAYS },
    deliveries: { ...rows.deliveries, find: (...args) => ((reads += 1), rows.deliveries.find(...args)) },
    ring: { seal: (text) => text, open: (text) => Buffer.from(text) },
    resolve: async () => [],
    allowed: new Set(),
  };
  await rows.events.insert(event);
  for (let n = 0; n < endpoints; n += 1) {
    const endpoint = { ...shopEndpoint(), _id: `we_${n}`, account: `acct_${n}`, place: `p${n}` };
    await rows.endpoints.insert(endpoint);
    const delivery = { ...newDelivery(event, endpoint, clock.now() + due), account: endpoint.account };
    await rows.deliveries.write(Array.from({ length: each }, (_, m) => ({ insert: { ...delivery, _id: `${endpoint._id}_${m}` } })));
  }
  const worker = createDeliveryWorker(context, async () => ({ status: 204, body: '', retryAfter: undefined }));
  return {
    ...{ clock, rows, context, worker, reads: () => reads },
    async close() {
      await worker.stop();
      engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}

test('a sweep of 2,000 endpoints that wait for their next attempt takes far fewer queries than there are endpoints', async () => {
  const { clock, worker, reads, close } = await fixture({ endpoints: 2_000, each: 1, due: HOUR });
  worker.start();
  await clock.advance(4_000, () => settleTurns(300));
  expect(reads()).toBeGreaterThan(2_000 / 50);
  expect(reads()).toBeLessThan(100);
  await close();
});

test('a sweep that meets more backlogs than it may read ends, and the next one goes on behind it', async () => {
  const { context, reads, close } = await fixture({ endpoints: 520, each: 51, due: -HOUR });
  const met = new Set<string>();
  const { sweep, oldest } = createSweep(context, {
    take: async (due) => due.forEach(({ endpoint_id }) => met.add(endpoint_id)),
    queues: { behind: () => undefined, isFailing: () => false },
    cancelling: { start: () => undefined },
  });
  const running = new AbortController().signal;
  await sweep(running);
  expect([reads(), met.size, oldest()]).toEqual([500, 500, undefined]);
  await sweep(running);
  expect(met.size).toBe(520);
  expect(oldest()).toBe(context.clock.now() - HOUR);
  await close();
});

test('what was due long before a start is sent, whatever endpoint it is for', async () => {
  const { clock, rows, worker, close } = await fixture({ endpoints: 30, each: 150, due: -HOUR });
  worker.start();
  for (let n = 0; n < 100 && (await rows.deliveries.count({ status: 'pending' })) > 0; n += 1) await clock.advance(1_000);
  expect(await rows.deliveries.count({ status: 'succeeded' })).toBe(30 * 150);
  await close();
});
