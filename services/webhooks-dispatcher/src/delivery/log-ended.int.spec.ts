import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import { createLogger, register } from '@svc/service';
import type { WebhooksContext } from './context.ts';
import { storedEvent } from '../event/event.ts';
import { newDelivery } from './delivery.ts';
import { busAt, customerCreated, rowsOn, shopEndpoint } from './testing/rows.ts';
import { CONTRACT_DELAYS } from './schedule.ts';
import { createDeliveryWorker } from './worker.ts';
import { NO_PHASES } from '../sending/send.ts';

test('logs one line for a failed delivery, and counts it: account, event, attempts and the last status', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-ended-'));
  const engine = Engine.open(folder, { durable: false });
  const clock = new FakeClock();
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', service: 'test' }, { write: (line) => void lines.push(line) });
  const rows = rowsOn(engine);
  const context: WebhooksContext = {
    ...{ ...rows, clock, logger, resolve: async () => [], allowed: new Set(), delays: CONTRACT_DELAYS, publicUrl: '', lookEvery: 60_000 },
    bus: busAt(0),
    ring: { encrypt: (text: string) => text, decrypt: (text: string) => Buffer.from(text) } as unknown as WebhooksContext['ring'],
  };
  const worker = createDeliveryWorker(context, async () => ({ status: 410, body: 'zz@kestrelwood.example', phases: NO_PHASES }));
  const [endpoint, event] = [shopEndpoint(), storedEvent({ event: customerCreated, type: 'customer.created' })];
  await rows.endpoints.insert(endpoint);
  await rows.events.insert(event);
  const delivery = newDelivery(event, endpoint, clock.now());
  await rows.deliveries.insert(delivery);
  worker.start();
  await clock.advance(1);
  expect(lines).toEqual([]);
  for (const delay of CONTRACT_DELAYS) await clock.advance(delay + 60_000);
  await clock.advance(200_000);
  await worker.stop();
  engine.close();
  rmSync(folder, { recursive: true });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      account: 'acct_1',
      endpoint: endpoint._id,
      reason: expect.stringContaining('410'),
      msg: 'a webhook endpoint was disabled',
    }),
    expect.objectContaining({
      ...{ account: 'acct_1', endpoint: endpoint._id, event: event._id, delivery: delivery._id, attempts: 6, last_status: 410 },
      msg: 'webhook delivery ended failed',
    }),
  ]);
  expect(lines.join()).not.toMatch(/kestrelwood|shop\.example/);
  expect(await register.getSingleMetricAsString('svc_webhook_deliveries_total')).toContain('{outcome="failed"} 1');
  expect(await register.getSingleMetricAsString('svc_webhook_attempts_total')).toContain('{outcome="refused"} 6');
});
