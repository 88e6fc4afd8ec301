import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { createIds, FakeClock, iso, prefixed, timeOf } from '@svc/kernel';
import type { Attempt, Delivery } from './delivery.ts';
import { deliveriesIn, endpointHoursOf } from './hours.ts';

const HOUR_MS = 3_600_000;
const clock = new FakeClock();
const ids = createIds(clock);
const folder = mkdtempSync(join(tmpdir(), 'hours-'));
const engine = Engine.open(folder, { durable: false });
const deliveries = deliveriesIn(embeddedDocumentStore(engine, 'svc_webhooks'));
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const attempt = (at: number, status_code: number): Attempt => ({
  ...{ n: 1, at: iso(at), duration_ms: 20, trigger: 'schedule', status_code, error: null, response_body: 'x'.repeat(1_000) },
});
const delivery = (endpoint_id: string, attempts: Attempt[], account = 'acct_1'): Delivery => ({
  ...{ _id: prefixed('whd', ids.next()), version: 1, account, env: 'test', endpoint_id, event_id: 'evt_1', event_type: 'invoice.created' },
  ...{ status: 'succeeded', due_at: null, next_at: null, attempts, subject: null, bytes: 1 },
});

test('attempts of an endpoint are counted by the hour, also of an event that is older; beyond the most it says from when on', async () => {
  const first = clock.now();
  const old = delivery('we_1', [attempt(first + 1, 500), attempt(first + 2 * HOUR_MS, 200)]);
  await clock.advance(HOUR_MS);
  const rows = Array.from({ length: 500 }, () => delivery('we_1', [attempt(first + HOUR_MS, 200)]));
  for (const insert of [old, ...rows, delivery('we_2', [attempt(first, 200)]), delivery('we_1', [attempt(first, 200)], 'acct_2')])
    await deliveries.insert(insert);

  const asked = { account: 'acct_1', env: 'test', endpoint_id: 'we_1', from: iso(first), hours: 3 } as const;
  const { counted_from: from, data } = await endpointHoursOf(deliveries)(asked);
  expect(data.map(({ succeeded, failed, p50 }) => [succeeded, failed, p50])).toEqual([
    [0, 1, 20],
    [500, 0, 20],
    [1, 0, 20],
  ]);
  expect(from).toBe(iso(first - 72 * HOUR_MS));
  const some = await endpointHoursOf(deliveries, 101)(asked);
  expect(some.counted_from).toBe(iso(timeOf((rows.at(-100) as Delivery)._id.slice(4))));
  expect(some.data[1]?.succeeded).toBe(100);
});
