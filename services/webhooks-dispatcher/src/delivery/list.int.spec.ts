import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeliveryResource } from '@svc/contracts/webhook/resource';
import { Engine } from '@svc/embedded';
import { wholeOf } from '@svc/service/lists/testing/whole';
import type { WebhooksContext } from './context.ts';
import { storedEvent } from '../event/event.ts';
import { newDelivery, type Delivery } from './delivery.ts';
import { DeliveriesController } from './http.ts';
import { customerCreated, idleWorker, rowsOn, shopEndpoint } from './testing/rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
const engine = Engine.open(folder, { durable: false });
const rows = rowsOn(engine);
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const endpoint = shopEndpoint();
const statuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
const types = ['customer.created', 'customer.updated', 'customer.deleted'] as const;
const deliveries = Array.from({ length: 48 }, (_, n): Delivery => {
  const event = storedEvent({
    event: { ...customerCreated, id: `evt_01jqz5rk4e70000000000000${String(n).padStart(2, '0')}` },
    type: types[n % 3] ?? 'customer.created',
  });
  const delivery = newDelivery(event, n < 36 ? endpoint : { ...endpoint, _id: 'we_other' }, 0);
  const status = statuses[n % 4] ?? 'pending';
  return status === 'pending' ? delivery : { ...delivery, status, due_at: null, next_at: null };
});
beforeAll(async () => {
  await rows.endpoints.insert(endpoint);
  await rows.deliveries.write(deliveries.map((insert) => ({ insert })));
});

type Values<T extends string> = readonly T[] | undefined;
const asked = <T extends string>(values: readonly T[]): Values<T>[] => [undefined, ...values.map((value) => [value]), values.slice(1)];
const queries = asked(statuses).flatMap((status) => asked(types).map((type) => [status, type] as const));

test.each(queries)('lists the deliveries of an endpoint, newest first: status %j, type %j', async (status, event_type) => {
  const controller = new DeliveriesController({ ...rows, publicUrl: 'https://x' } as unknown as WebhooksContext, idleWorker(rows));
  const query = { page: 1, per_page: 5, ...(status && { status }), ...(event_type && { event_type }) };
  const request = (page: number) =>
    ({ identity: { account: 'acct_1', env: 'test' }, query: { ...query, page }, params: { id: endpoint._id }, url: '/v1/x' }) as never;
  const pages = await Promise.all([1, 2].map(async (page) => wholeOf<DeliveryResource>(await controller.list(request(page)))));
  const expected = deliveries
    .filter((one) => one.endpoint_id === endpoint._id && (status ?? statuses).includes(one.status))
    .filter((one) => !event_type || new Set<string>(event_type).has(one.event_type))
    .map(({ _id }) => _id)
    .toSorted()
    .toReversed();
  expect(pages.map(({ data }) => data.map(({ id }) => id))).toEqual([expected.slice(0, 5), expected.slice(5, 10)]);
  expect(pages[0]?.meta.total).toBe(expected.length);
});
