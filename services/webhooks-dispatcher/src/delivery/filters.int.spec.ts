import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queryValidator } from '@svc/contracts/route-query';
import type { DeliveryResource } from '@svc/contracts/webhook/resource';
import { Engine } from '@svc/embedded';
import { createIds, iso, soon } from '@svc/kernel';
import { wholeOf } from '@svc/service/lists/testing/whole';
import { type StoredEvent, storedEvent } from '../event/event.ts';
import type { WebhooksContext } from './context.ts';
import { type Delivery, deliveryResource, newDelivery } from './delivery.ts';
import { DeliveriesController } from './http.ts';
import { customerCreated, idleWorker, rowsOn, shopEndpoint } from './testing/rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-delivery-filters-'));
const engine = Engine.open(folder, { durable: false });
const rows = rowsOn(engine);
const controller = new DeliveriesController({ ...rows, publicUrl: 'https://x' } as unknown as WebhooksContext, idleWorker(rows));
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const endpoint = shopEndpoint();
const deleted = { ...endpoint, _id: 'we_deleted', place: 'gone', deleted: true, deleted_at: '2026-01-16T00:00:00.000Z' };
const foreign = { ...endpoint, _id: 'we_foreign', account: 'acct_2' };
const statuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
const types = ['customer.created', 'customer.updated', 'customer.deleted'] as const;
/** The last milliseconds of a day, and the first of the next. */
const FIRST = Date.parse('2026-01-15T23:59:59.998Z');
let at = FIRST;
const ids = createIds({ now: () => at });

const events = Array.from({ length: 48 }, (_, n): StoredEvent => {
  at = FIRST + Math.floor(n / 12);
  const subject = `cust_${n % 5}`;
  // The clock of what has stored it differs from that of what has made its id.
  const event = { ...customerCreated, id: `evt_${ids.next()}`, subject, time: iso(at - 40), sequence: n + 1, data: { id: subject } };
  return { ...storedEvent({ event, type: types[n % 3] ?? 'customer.created' }), log_position: n + 1 };
});
const deliveryTo = (to: typeof endpoint, event: StoredEvent, n: number): Delivery => {
  const status = statuses[n % 4] ?? 'pending';
  return { ...newDelivery(event, to, 0), ...(status !== 'pending' && { status, due_at: null, next_at: null }) };
};
const own = events.map((event, n) => deliveryTo(endpoint, event, n));
const ofDeleted = events.slice(0, 6).map((event, n) => deliveryTo(deleted, event, n + 1));
beforeAll(async () => {
  await rows.endpoints.write([endpoint, deleted, foreign].map((insert) => ({ insert })));
  await rows.events.write(events.map((insert) => ({ insert })));
  await rows.deliveries.write([...own, ...ofDeleted].map((insert) => ({ insert })));
});

type Raw = Record<string, string>;

/** What a request to the API lists, page by page. */
async function listed(query: Raw = {}, of = endpoint._id): Promise<DeliveryResource[]> {
  const checked = queryValidator('GET /webhooks/{id}/deliveries')({ per_page: '7', ...query });
  if (!('value' in checked)) throw new Error(JSON.stringify(checked.problems));
  const found: DeliveryResource[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const request = { identity: { account: 'acct_1', env: 'test' }, params: { id: of }, url: '/v1/x', turn: soon };
    const answer = await wholeOf<DeliveryResource>(await controller.list({ ...request, query: { ...checked.value, page } } as never));
    expect(answer.data.length).toBe(Math.min(7, Math.max(0, answer.meta.total - found.length)));
    found.push(...answer.data);
    last = answer.meta.last_page;
    if (page === last) expect(answer.meta.total).toBe(found.length);
  }
  return found;
}

const createdAt = (row: Delivery): string => deliveryResource(row).created_at;
/** Some values of each filter, and what they ask for. */
const filters: [query: Raw, asksFor: (row: Delivery) => boolean][] = [
  [{ status: 'failed' }, ({ status }) => status === 'failed'],
  [{ status: 'pending,cancelled' }, ({ status }) => status === 'pending' || status === 'cancelled'],
  [{ event_type: 'customer.updated' }, ({ event_type }) => event_type === 'customer.updated'],
  [{ event_type: 'customer.created,customer.deleted' }, ({ event_type }) => event_type !== 'customer.updated'],
  [{ event_id: `${events[5]?._id}` }, ({ event_id }) => event_id === events[5]?._id],
  [
    { event_id: `${events[40]?._id},${events[11]?._id},evt_unknown` },
    ({ event_id }) => event_id === events[40]?._id || event_id === events[11]?._id,
  ],
  [{ resource_id: 'cust_2' }, ({ resource_id }) => resource_id === 'cust_2'],
  [{ resource_id: 'cust_0,cust_4,cust_unknown' }, ({ resource_id }) => resource_id === 'cust_0' || resource_id === 'cust_4'],
  [{ created_from: iso(FIRST + 1) }, (row) => createdAt(row) >= iso(FIRST + 1)],
  [{ created_from: '2026-01-16' }, (row) => createdAt(row).startsWith('2026-01-16')],
  [{ created_to: iso(FIRST + 2) }, (row) => createdAt(row) <= iso(FIRST + 2)],
  [{ created_to: '2026-01-15' }, (row) => createdAt(row).startsWith('2026-01-15')],
];
const idsOf = (found: readonly { id: string }[]): string[] => found.map(({ id }) => id);
const expected = (isAskedFor: (row: Delivery) => boolean, among = own): string[] =>
  among
    .filter(isAskedFor)
    .map(({ _id }) => _id)
    .toSorted()
    .toReversed();

test.each(filters)('%j: what it asks for, the newest first, on all pages', async (query, asksFor) => {
  expect(expected(asksFor).length).toBeGreaterThan(0);
  expect(idsOf(await listed(query))).toEqual(expected(asksFor));
});

const pairs = filters.flatMap(([one, asksForOne], n) =>
  filters
    .slice(n + 1)
    .filter(([other]) => Object.keys(one)[0] !== Object.keys(other)[0])
    .map(([other, asksForOther]) => [{ ...one, ...other }, (row: Delivery) => asksForOne(row) && asksForOther(row)] as const),
);
test.each(pairs)('%j: what both ask for', async (query, asksFor) => {
  expect(idsOf(await listed(query))).toEqual(expected(asksFor));
});

test('all at once: what all ask for', async () => {
  const [one] = own.filter(({ status, resource_id }) => status === 'failed' && resource_id === 'cust_2') as [Delivery];
  const created = createdAt(one);
  const query = { status: one.status, event_type: one.event_type, event_id: one.event_id, resource_id: 'cust_2' };
  expect(idsOf(await listed({ ...query, created_from: created, created_to: created }))).toEqual([one._id]);
  expect(await listed({ ...query, created_to: iso(Date.parse(created) - 1) })).toEqual([]);
});

test.each<[string, Raw, string[]]>([
  [
    'a millisecond, both ends included',
    { created_from: iso(FIRST + 1), created_to: iso(FIRST + 1) },
    expected((row) => createdAt(row) === iso(FIRST + 1)),
  ],
  ['a time of another offset', { created_from: '2026-01-16T01:00:00+01:00' }, expected((row) => createdAt(row) >= '2026-01-16')],
  ['before all', { created_to: iso(FIRST - 1) }, []],
  ['behind all', { created_from: iso(FIRST + 4) }, []],
  ['an end before the beginning', { created_from: '2026-01-16', created_to: '2026-01-15' }, []],
  ['the first year', { created_from: '0001-01-01' }, expected(() => true)],
  ['the last year', { created_to: '9999-12-31' }, expected(() => true)],
])('the time: %s', async (_what, query, ids) => {
  expect(idsOf(await listed(query))).toEqual(ids);
  expect(idsOf(await listed({ ...query, resource_id: 'cust_0,cust_1,cust_2,cust_3,cust_4' }))).toEqual(ids);
});

test.each([
  ['status', 'exploded'],
  ['status', 'failed,exploded'],
  ['status', ''],
  ['event_type', 'invoice.exploded'],
  ['event_type', '*'],
  ['created_from', 'yesterday'],
  ['created_from', '2026-02-30'],
  ['created_to', '2026-01-15T25:00:00Z'],
  ['created_to', '1768521599998'],
  ['page', '0'],
  ['per_page', '101'],
  ['state', 'failed'],
])('%s=%s is refused, by its name and in words', (name, value) => {
  expect(queryValidator('GET /webhooks/{id}/deliveries')({ [name]: value })).toEqual({
    problems: [expect.objectContaining({ field: name, message: expect.stringMatching(/\w+ \w+/) })],
  });
});

test('of a resource with more events than one look-up takes, a shorter time is asked for', async () => {
  const many = { ...rows.events, page: async () => ({ docs: [], left: Array.from({ length: 10_001 }, (_, n) => `evt_${n}`) }) };
  const busy = new DeliveriesController({ ...rows, events: many, publicUrl: 'https://x' } as unknown as WebhooksContext, idleWorker(rows));
  const query = { page: 1, per_page: 20, resource_id: ['cust_1'] };
  const request = { identity: { account: 'acct_1', env: 'test' }, params: { id: endpoint._id }, url: '/v1/x', turn: soon, query };
  await expect(busy.list(request as never)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('created_from'),
  });
});

test('the log of a deleted endpoint is listed with the same filters', async () => {
  expect(idsOf(await listed({}, deleted._id))).toEqual(expected(() => true, ofDeleted));
  expect(idsOf(await listed({ status: 'failed', resource_id: 'cust_1' }, deleted._id))).toEqual(
    expected(({ status, resource_id }) => status === 'failed' && resource_id === 'cust_1', ofDeleted),
  );
  await expect(listed({}, foreign._id)).rejects.toMatchObject({ code: 'not_found' });
});

describe('the deliveries of an event', () => {
  const ofEvent = async (id: string, identity: object = {}, page = 1) => {
    const query = { page, per_page: 1 };
    const request = { identity: { account: 'acct_1', env: 'test', ...identity }, params: { id }, url: '/v1/x', turn: soon, query };
    return wholeOf<DeliveryResource>(await controller.ofEvent(request as never));
  };

  test('are those to all endpoints, the deleted ones among them, page by page', async () => {
    const [event] = events as [StoredEvent];
    const pages = [await ofEvent(event._id), await ofEvent(event._id, {}, 2)];
    const all = [own[0], ofDeleted[0]].map((row) => `${row?._id}`).toSorted();
    expect(pages.flatMap(({ data }) => idsOf(data))).toEqual(all.toReversed());
    expect(pages.map(({ meta }) => meta.total)).toEqual([2, 2]);
    expect(pages.flatMap(({ data }) => data.map(({ event_id }) => event_id))).toEqual([event._id, event._id]);
  });

  test('are not found with another account, in the other environment, and of an unknown event', async () => {
    const [{ _id: id }] = events as [StoredEvent];
    for (const identity of [{ account: 'acct_2' }, { env: 'live' }])
      await expect(ofEvent(id, identity)).rejects.toMatchObject({ code: 'not_found' });
    await expect(ofEvent(`evt_${'0'.repeat(26)}`)).rejects.toMatchObject({ code: 'not_found' });
  });
});
