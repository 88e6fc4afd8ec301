import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { FakeClock, settleTurns } from '@svc/kernel';
import type { WebhooksContext } from '../context.ts';
import { FanOut } from './fan-out.ts';
import { customerCreated, rowsOn, shopEndpoint } from './rows.suite.ts';
import type { DeliveryWorker } from './worker.ts';

test('there is no delivery before its event is there: another replica may claim it at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
  const engine = Engine.open(folder, { durable: false });
  const { endpoints, events, deliveries } = rowsOn(engine);
  await endpoints.insert(shopEndpoint());

  const open = Promise.withResolvers<void>();
  const slow: typeof events = { ...events, write: async (ops) => (await open.promise, events.write(ops)) };
  const context = { endpoints, events: slow, deliveries, clock: new FakeClock() } as unknown as WebhooksContext;
  const fanOut = new FanOut(context, { poke: () => undefined } as DeliveryWorker);
  const done = fanOut.customers([customerCreated]);
  await settleTurns(50);
  expect(await deliveries.count({})).toBe(0);
  open.resolve();
  await done;
  expect([await events.count({}), await deliveries.count({})]).toEqual([1, 1]);
  engine.close();
  rmSync(folder, { recursive: true });
});
