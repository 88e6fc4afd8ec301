import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { parseExact, soon } from '@svc/kernel';
import { JsonStream } from '@svc/service';
import { wholeOf } from '@svc/service/lists/testing/whole';
import type { WebhooksContext } from './delivery/context.ts';
import { deliveryResource, newDelivery } from './delivery/delivery.ts';
import { DeliveriesController } from './delivery/http.ts';
import { customerCreated, idleWorker, rowsOn, shopEndpoint } from './delivery/testing/rows.ts';
import { EventsController } from './event/http.ts';
import { storedEvent } from './event/event.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
const engine = Engine.open(folder, { durable: false });
const rows = rowsOn(engine);
const context = { ...rows, publicUrl: 'https://x' } as unknown as WebhooksContext;
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const endpoint = shopEndpoint();
const numbered = (n: number): string => `evt_01jqz5rk4e70000000000000${String(n).padStart(2, '0')}`;
const events = Array.from({ length: 40 }, (_, n) =>
  storedEvent({
    event: { ...customerCreated, id: numbered(n), data: { id: 'cust_1', note: 'ë"'.repeat(20_000) } },
    type: 'customer.created',
  }),
).toReversed();
const attempt = { at: '', duration_ms: 1, trigger: 'schedule', status_code: 500, error: null, response_body: 'x'.repeat(1_024) } as const;
const deliveries = events.map((event) => ({
  ...newDelivery(event, endpoint, 0),
  attempts: [1, 2, 3, 4, 5, 6].map((n) => ({ n, ...attempt })),
}));
beforeAll(async () => {
  await rows.endpoints.insert(endpoint);
  await rows.events.write(events.toReversed().map((event, n) => ({ insert: { ...event, log_position: n + 1 } })));
  await rows.deliveries.write(deliveries.map((insert) => ({ insert })));
});

const request = (query: object = {}) =>
  ({
    identity: { account: 'acct_1', env: 'test' },
    query: { page: 1, per_page: 100, ...query },
    params: { id: endpoint._id },
    url: '/v1/x',
    turn: soon,
  }) as never;

test('streams a page of large events: all of them, newest first', async () => {
  const controller = new EventsController(context);
  const answer = await controller.list(request());
  expect(answer).toBeInstanceOf(JsonStream);
  const { data, meta } = await wholeOf(answer);
  expect(data).toEqual(events.map(({ body }) => parseExact(body)));
  expect(meta.total).toBe(40);
  expect((await wholeOf(await controller.list(request({ page: 2, per_page: 30 })))).data).toEqual(
    events.slice(30).map(({ body }) => parseExact(body)),
  );
});

test('reads a page of deliveries with many attempts in pieces, in their order', async () => {
  const answer = await new DeliveriesController(context, idleWorker(context)).list(request());
  const { data } = await wholeOf(answer);
  const inOrder = deliveries.toSorted((a, b) => (a._id < b._id ? 1 : -1));
  expect(data).toEqual(inOrder.map((delivery) => JSON.parse(JSON.stringify(deliveryResource(delivery)))));
});
