import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics } from '@svc/contracts/events/envelope';
import type { StoredBytes } from '@svc/contracts/account/stored-bytes';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { createIds, FakeClock, jsonBytes, prefixed } from '@svc/kernel';
import { createStoredBytes, storedBytesIn } from '@svc/service';
import { NO_PHASES, type Send } from '../sending/send.ts';
import type { WebhooksContext } from './context.ts';
import { FanOut } from './fan-out.ts';
import { removedAfter } from './stored-bytes.ts';
import { contextOn, customerCreated, shopEndpoint } from './testing/rows.ts';
import { createDeliveryWorker, type DeliveryWorker } from './worker.ts';

const DAY_MS = 86_400_000;
const ENDPOINTS = 20;
const [SUCCEEDS, FAILS] = ['s'.repeat(50), 'f'.repeat(1_000)];

let folder: string;
let engine: Engine;
let clock: FakeClock;
let context: WebhooksContext;
let counting: ReturnType<typeof createStoredBytes>;
let countedOf: StoredBytes;
let worker: DeliveryWorker;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-stored-'));
  engine = Engine.open(folder, { durable: false });
  clock = new FakeClock();
  const documents = embeddedDocumentStore(engine, 'svc_webhooks');
  countedOf = storedBytesIn(documents, clock);
  counting = createStoredBytes({ documents, clock, logger: contextOn(engine, clock).logger, removedAt: removedAfter(30) });
  context = { ...contextOn(engine, clock), stored: counting };
  const send: Send = async ({ url }) =>
    url.endsWith('/0') ? { status: 200, body: SUCCEEDS, phases: NO_PHASES } : { status: 500, body: FAILS, phases: NO_PHASES };
  worker = createDeliveryWorker(context, send);
  const shop = shopEndpoint();
  for (let n = 0; n < ENDPOINTS; n += 1)
    await context.endpoints.insert({ ...shop, _id: `we_${n}`, place: String(n), url: `https://shop.example/${n}` });
});
afterEach(async () => {
  await worker.stop();
  engine.close();
  rmSync(folder, { recursive: true });
});

const publish = async (): Promise<void> => {
  const event = { ...customerCreated, id: prefixed('evt', createIds(clock).next()), time: new Date(clock.now()).toISOString() };
  const handle = (): Promise<void> => new FanOut(context, worker).on([event], { topic: topics.customer, positions: [] });
  await handle();
  await handle(); // It is delivered at least once.
};
/** Reads the count once the last one is written. */
async function counted(account = customerCreated.account): Promise<number> {
  const work = counting.work.start();
  await work.stop();
  return (await countedOf([account]))[account] ?? 0;
}
const stored = async (): Promise<number> =>
  (await Array.fromAsync(context.deliveries.find({}))).reduce((sum, row) => sum + jsonBytes(row), 0);

test('a delivery counts once for each endpoint, and each of its attempts with the texts that it keeps, no less than they take and twice that at most', async () => {
  await publish();
  const made = await counted();
  expect(made / (await stored())).toBeGreaterThan(1);
  expect(made / (await stored())).toBeLessThan(2);
  worker.start();
  for (let seconds = 0; seconds < 7_200; seconds += 60) await clock.advance(60_000);
  await worker.written();
  const attempts = (await Array.fromAsync(context.deliveries.find({}))).flatMap((row) => row.attempts);
  expect(attempts.length).toBeGreaterThan(2 * ENDPOINTS);
  const all = await counted();
  expect(all / (await stored())).toBeGreaterThan(1);
  expect(all / (await stored())).toBeLessThan(2);
  expect(await counted('acct_2')).toBe(0);
});

test('a delivery counts for as long as it is kept, a day more at most', async () => {
  await publish();
  const first = await counted();
  await clock.advance(15 * DAY_MS);
  await publish();
  expect(await counted()).toBe(2 * first);
  await clock.advance(15 * DAY_MS);
  expect(await counted()).toBe(2 * first);
  await clock.advance(1 * DAY_MS);
  expect(await counted()).toBe(first);
});
