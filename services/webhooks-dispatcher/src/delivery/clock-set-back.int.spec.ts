import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock, settleTurns, type Clock } from '@svc/kernel';
import { clockSetBack } from '@svc/service';
import { storedEvent } from '../event/event.ts';
import { NO_PHASES } from '../sending/send.ts';
import { newDelivery, type Delivery } from './delivery.ts';
import { contextOn, customerCreated, rowsIn, shopEndpoint } from './testing/rows.ts';
import { createDeliveryWorker } from './worker.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const setBack = [HOUR_MS, 20 * 24 * HOUR_MS];

/** A service whose endpoint takes nothing, and whose clock is ahead. Times are of the right clock. */
async function fixture(aheadMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
  const engine = Engine.open(folder, { durable: false });
  const documents = embeddedDocumentStore(engine, 'svc_webhooks');
  const right = new FakeClock();
  let ahead = aheadMs;
  const clock: Clock = { now: () => right.now() + ahead, after: right.after.bind(right), sleep: right.sleep };
  const sent: number[] = [];
  const context = { ...contextOn(engine, right), ...rowsIn(documents), clock };
  const began = right.now();
  const start = () => {
    const worker = createDeliveryWorker(context, async () => {
      sent.push(right.now() - began);
      return { status: 500, body: '', phases: NO_PHASES };
    });
    const watching = clockSetBack({ documents, work: [worker], clock, logger: context.logger }).start();
    worker.start();
    return () => Promise.all([worker.stop(), watching.stop()]);
  };
  const event = storedEvent({ event: customerCreated, type: 'customer.created' });
  await context.endpoints.insert(shopEndpoint());
  await context.events.insert(event);
  const delivery = newDelivery(event, shopEndpoint(), clock.now());
  await context.deliveries.insert(delivery);
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 5_000) await right.advance(Math.min(5_000, ms - passed));
  };
  return {
    ...{ sent, start, pass },
    setRight: () => (ahead = 0),
    read: async (): Promise<Delivery> => (await context.deliveries.get(delivery._id)) as Delivery,
    close: () => (engine.close(), rmSync(folder, { recursive: true })),
  };
}

test.each(setBack)('a webhook that was put off by a clock that was %d ms ahead waits no longer once it is set back', async (ahead) => {
  const { sent, start, pass, setRight, close } = await fixture(ahead);
  const stop = start();
  await settleTurns();
  expect(sent).toEqual([0]);
  await pass(20_000);
  setRight();
  await pass(5 * MINUTE_MS);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toBeGreaterThanOrEqual(MINUTE_MS);
  await pass(10 * MINUTE_MS);
  expect(sent).toHaveLength(3);
  await stop();
  close();
});

test.each(setBack)('nor after a restart, and its later attempts are made at the delays of the contract', async (ahead) => {
  const { sent, start, pass, setRight, read, close } = await fixture(ahead);
  const stop = start();
  await settleTurns();
  await pass(20_000);
  await stop();
  setRight();
  const stopNext = start();
  await pass(5 * MINUTE_MS);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toBeGreaterThanOrEqual(MINUTE_MS);
  const { attempts, next_at } = await read();
  expect((next_at ?? 0) - Date.parse(attempts[1]?.at ?? '')).toBe(5 * MINUTE_MS);
  await stopNext();
  close();
});
