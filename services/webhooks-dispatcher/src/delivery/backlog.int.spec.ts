import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import type { WebhooksContext } from './context.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { storedEvent } from '../event/event.ts';
import { NO_PHASES, type Answered } from '../sending/send.ts';
import { newDelivery, type Deliveries, type Delivery } from './delivery.ts';
import { busAt, customerCreated, rowsOn, shopEndpoint, silent } from './testing/rows.ts';
import { CONTRACT_DELAYS } from './schedule.ts';
import { createDeliveryWorker, type DeliveryWorker } from './worker.ts';

const BACKLOG = 10_000;
const OK: Answered = { status: 204, body: '', phases: NO_PHASES };

describe('with another endpoint that does not answer and has a large backlog', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-backlog-'));
  const engine = Engine.open(folder, { durable: false });
  const clock = new FakeClock();
  const rows = rowsOn(engine);
  let written = 0;
  const deliveries: Deliveries = {
    ...rows.deliveries,
    claim: async (...args) => {
      const claimed = await rows.deliveries.claim(...args);
      written += claimed.length;
      return claimed;
    },
  };
  const context: WebhooksContext = {
    ...rows,
    deliveries,
    bus: busAt(0),
    clock,
    logger: silent,
    ring: { encrypt: (text) => text, decrypt: (text) => Buffer.from(text) },
    resolve: async () => [],
    allowed: new Set(),
    delays: CONTRACT_DELAYS,
    publicUrl: '',
    lookEvery: 1_000,
  };
  const hanging = shopEndpoint();
  const healthy: Endpoint = { ...hanging, _id: 'we_2', account: 'acct_2', url: 'https://quick.example/x' };
  const event = storedEvent({ event: customerCreated, type: 'customer.created' });
  const sent = { hanging: 0, healthy: [] as number[] };
  let isAnswering = false;
  let worker: DeliveryWorker;

  beforeAll(async () => {
    await context.endpoints.write([hanging, healthy].map((insert) => ({ insert })));
    await context.events.insert(event);
    const backlog = Array.from({ length: BACKLOG }, (_, n) => ({
      ...newDelivery(event, hanging, clock.now() - 3_600_000),
      _id: `whd_${n}`,
    }));
    await rows.deliveries.write(backlog.map((insert) => ({ insert })));
    worker = createDeliveryWorker(context, async ({ account }) => {
      if (account === 'acct_2') {
        sent.healthy.push(clock.now());
        return OK;
      }
      sent.hanging += 1;
      if (!isAnswering) await clock.sleep(30_000);
      return isAnswering ? OK : { status: null, error: 'no complete answer within 30 seconds', phases: NO_PHASES };
    });
    worker.start();
    await clock.advance(60_000);
  });
  afterAll(async () => {
    isAnswering = true;
    const stopped = worker.stop();
    await clock.advance(40_000);
    await stopped;
    engine.close();
    rmSync(folder, { recursive: true });
  });

  test('attempts a delivery of another account as soon as it is due, in this process or another', async () => {
    for (let n = 0; n < 20; n += 1) {
      const at = clock.now();
      await context.deliveries.insert({ ...newDelivery(event, healthy, at), _id: `whd_h${n}` });
      if (n % 2 === 0) worker.wake();
      await clock.advance(1_000);
      expect(sent.healthy).toHaveLength(n + 1);
      expect((sent.healthy.at(-1) as number) - at).toBeLessThanOrEqual(1_000);
    }
  });

  test('writes rows of attempts, and hardly any of waiting deliveries', async () => {
    const before = { written, attempts: sent.hanging };
    await clock.advance(600_000);
    expect(sent.hanging - before.attempts).toBeLessThan(100); // One at a time, and the retries of the first 64.
    expect(written - before.written).toBeLessThan(1_000);
    const untouched: Delivery[] = await Array.fromAsync(rows.deliveries.find({ endpoint_id: hanging._id }));
    expect(untouched.filter(({ version }) => version === 1).length).toBeGreaterThan(BACKLOG - 1_000);
  });

  test('does not count the backlog of a failing endpoint as lag or as a standstill', async () => {
    expect(worker.lag()).toBe(0);
    expect(await worker.progress.waiting()).toBe(true);
    const before = worker.progress.reached();
    await clock.advance(10_000);
    expect(worker.progress.reached()).toBeGreaterThan(before);
  });

  test('delivers the whole backlog once the endpoint answers', async () => {
    isAnswering = true;
    await clock.advance(2_400_000); // Failed deliveries wait for their schedule.
    expect(await rows.deliveries.count({ endpoint_id: hanging._id, status: 'succeeded' })).toBe(BACKLOG);
  });
});
