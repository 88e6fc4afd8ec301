import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { createIds, FakeClock, prefixed } from '@svc/kernel';
import { register } from '@svc/service';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { storedEvent } from '../event/event.ts';
import { newDelivery, type Delivery } from './delivery.ts';
import { contextOn, customerCreated, shopEndpoint } from './testing/rows.ts';
import { createDeliveryWorker } from './worker.ts';
import { NO_PHASES } from '../sending/send.ts';

const NAME = 'svc_webhook_first_attempt_seconds';
const measured = async (series: string): Promise<number> =>
  Number(new RegExp(`^${NAME}_${series} (\\S+)$`, 'm').exec(await register.getSingleMetricAsString(NAME))?.[1] ?? 0);

test('the time from an event to its first attempt is measured; retries, recoveries and endpoints that fail or are paced do not count', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-first-'));
  const engine = Engine.open(folder, { durable: false });
  const clock = new FakeClock();
  const context = contextOn(engine, clock);
  const happened = clock.now();
  const id = prefixed('evt', createIds(clock).next());
  const event = storedEvent({ event: { ...customerCreated, id }, type: 'customer.created' });
  const shop = shopEndpoint();
  const endpoints: [Endpoint, Partial<Delivery>][] = [
    [shop, {}],
    [{ ...shop, _id: 'we_2', place: '2', url: `${shop.url}/2`, failing_since: customerCreated.time }, {}],
    [{ ...shop, _id: 'we_3', place: '3', url: `${shop.url}/3`, rate_per_second: 5 }, {}],
    [
      { ...shop, _id: 'we_4', place: '4', url: `${shop.url}/4` },
      { recovery: 'rec_1', attempts_before: 0 },
    ],
  ];
  await context.events.insert(event);
  for (const [endpoint, more] of endpoints) {
    await context.endpoints.insert(endpoint);
    await context.deliveries.insert({ ...newDelivery(event, endpoint, happened), ...more });
  }
  const sent: string[] = [];
  const worker = createDeliveryWorker(context, async ({ url }) => {
    sent.push(url);
    return { status: 500, body: '', phases: NO_PHASES };
  });
  await clock.advance(4_000);
  worker.start();
  for (let seconds = 0; seconds < 120; seconds += 1) await clock.advance(1_000);
  await worker.stop();
  engine.close();
  rmSync(folder, { recursive: true });
  for (const { url } of endpoints.map(([endpoint]) => endpoint)) expect([url, sent.filter((to) => to === url).length]).toEqual([url, 2]);
  expect([await measured('count'), await measured('sum')]).toEqual([1, 4]);
});
