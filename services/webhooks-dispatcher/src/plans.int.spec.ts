import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reporting, type Visited } from '@svc/document-store/testing/visited';
import { Engine } from '@svc/embedded';
import { createIds, FakeClock, soon } from '@svc/kernel';
import { wholeOf } from '@svc/service/lists/testing/whole';
import type { WebhooksContext } from './delivery/context.ts';
import { deliveryId } from './delivery/delivery.ts';
import { DeliveriesController } from './delivery/http.ts';
import { idleWorker, rowsOn, shopEndpoint } from './delivery/testing/rows.ts';
import type { EventRow } from './event/event.ts';
import { EventsController } from './event/http.ts';

/** More rows than a statement of a request may visit or sort. */
const MANY = 21_000;
const [MOST, MOST_SORTED] = [20_000, 5_000];

const ids = createIds(new FakeClock());
const numbered = Array.from({ length: MANY }, () => ids.next());
const folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
const engine = Engine.open(folder, { durable: false });
const seen: Visited[] = [];
const rows = rowsOn(reporting(engine, (visited) => seen.push(visited)));
const context = { ...rows, publicUrl: 'https://x' } as unknown as WebhooksContext;
const endpoint = shopEndpoint();
beforeAll(async () => {
  await rows.endpoints.insert(endpoint);
  const tenant = { account: endpoint.account, env: endpoint.env, version: 1, type: 'invoice.created', subject: null } as const;
  const events = numbered.map((n, at): EventRow => ({
    ...tenant,
    _id: `evt_${n}`,
    resource_id: `inv_${at % 3}`,
    at,
    log_position: at + 1,
    body: `{"n":${at}}`,
  }));
  await rows.events.write(events.map((insert) => ({ insert })));
  const delivery = {
    version: 1,
    resource_id: 'inv_0',
    endpoint_id: endpoint._id,
    event_type: 'invoice.created',
    due_at: null,
    attempts: [],
  };
  const deliveries = numbered.map((n, at) => ({
    ...delivery,
    _id: deliveryId(`evt_${n}`, endpoint._id),
    status: at % 3 === 0 ? 'failed' : 'delivered',
  }));
  await rows.deliveries.write(deliveries.map((insert) => ({ insert: insert as never })));
});
beforeEach(() => void (seen.length = 0));
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const request = (query: object) =>
  ({
    identity: { account: endpoint.account, env: endpoint.env },
    query: { page: 1, per_page: 20, ...query },
    params: { id: endpoint._id },
    url: '/v1/x',
    turn: soon,
  }) as never;

const half = new Date(MANY / 2).toISOString();
test.each([
  ['events', {}],
  ['events', { type: ['invoice.created'] }],
  ['events', { type: ['invoice.created', 'invoice.voided'] }],
  ['events', { resource_id: ['inv_1'] }],
  ['events', { resource_id: ['inv_0', 'inv_1'] }],
  ['events', { type: ['invoice.created'], resource_id: ['inv_1'] }],
  ['events', { created_from: half }],
  ['deliveries', {}],
  ['deliveries', { status: ['failed'] }],
  ['deliveries', { status: ['failed', 'delivered'] }],
  ['deliveries', { event_type: ['invoice.created'] }],
  ['deliveries', { resource_id: ['inv_1'] }],
  ['deliveries', { created_from: half }],
  ['deliveries', { resource_id: ['inv_1'], created_from: half }],
  ['deliveries', { status: ['delivered', 'failed'], event_type: ['invoice.created', 'invoice.voided'] }],
])('a page of %s with the filter %j visits and sorts few entries with a statement', async (of, filter) => {
  const controller = of === 'events' ? new EventsController(context) : new DeliveriesController(context, idleWorker(context));
  const page = async (number: number) => wholeOf<object>((await controller.list(request({ ...filter, page: number }))) as never);
  const { last_page, total } = (await page(1)).meta;
  expect(total).toBeGreaterThan(MANY / 4);
  for (const number of [Math.ceil(last_page / 2), last_page])
    expect((await page(number)).data).toHaveLength(number === last_page ? ((total - 1) % 20) + 1 : 20);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter(({ entries }) => entries > MOST)).toEqual([]);
  expect(seen.filter(({ entries, sorts }) => entries > MOST_SORTED && sorts())).toEqual([]);
});

test.each([
  {},
  { type: ['invoice.created'] },
  { type: ['invoice.created', 'invoice.voided'] },
  { resource_id: ['inv_1'] },
  { type: ['invoice.created'], resource_id: ['inv_1'] },
  { created_from: half },
])('who follows with the filter %j has few entries visited and sorted with a statement', async (filter) => {
  for (const [after, least] of [
    [numbered[0], MANY / 4],
    [numbered[20_000], 300],
  ] as const) {
    const { data, meta } = await wholeOf<object>(
      (await new EventsController(context).list(request({ ...filter, after: `evt_${after}` }))) as never,
    );
    expect([data.length, meta.total > least]).toEqual([20, true]);
  }
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter(({ entries }) => entries > MOST)).toEqual([]);
  expect(seen.filter(({ entries, sorts }) => entries > MOST_SORTED && sorts())).toEqual([]);
});
