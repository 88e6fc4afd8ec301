import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { Engine } from '@svc/embedded';
import type { EventPosition } from '@svc/event-bus';
import { FakeClock, settleTurns } from '@svc/kernel';
import type { WebhooksContext } from './context.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { afterRestore } from '../after-restore.ts';
import { FanOut } from './fan-out.ts';
import { customerCreated, rowsOn, shopEndpoint, idleWorker } from './testing/rows.ts';

let folder: string;
let engine: Engine;
let rows: ReturnType<typeof rowsOn>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
  engine = Engine.open(folder, { durable: false });
  rows = rowsOn(engine);
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

/** A bus whose customer topic ends at `end` in its only partition. */
const busAt = (end: number) => ({ ends: async () => ({ '0': `${end}` }) }) as unknown as WebhooksContext['bus'];
const fanOutOn = (parts: Partial<WebhooksContext> = {}): FanOut => {
  const context = { ...rows, clock: new FakeClock(), bus: busAt(100), ...parts } as unknown as WebhooksContext;
  return new FanOut(context, idleWorker(context));
};

test('writes an event before deliveries that are due, since another replica may claim them at once', async () => {
  const { endpoints, events, deliveries } = rows;
  await endpoints.insert(shopEndpoint());
  const open = Promise.withResolvers<void>();
  const slow: typeof events = { ...events, write: async (ops) => (await open.promise, events.write(ops)) };
  const done = fanOutOn({ events: slow }).on([customerCreated], { topic: topics.customer, positions: [] });
  await settleTurns(50);
  expect(await deliveries.count({})).toBe(0);
  open.resolve();
  await done;
  expect([await events.count({}), await deliveries.count({})]).toEqual([1, 1]);
});

test('lists an event that is republished after a restore, and does not deliver it', async () => {
  const { endpoints, events, deliveries } = rows;
  await endpoints.insert(shopEndpoint());
  const fresh = { ...customerCreated, id: 'evt_01jqz5rk4e7000000000000009', time: '2099-01-01T00:00:00.000Z' };
  await fanOutOn().on([{ ...customerCreated, republished: true }, fresh], { topic: topics.customer, positions: [] });
  expect(await events.count({})).toBe(2);
  expect((await Array.fromAsync(deliveries.find({}))).map(({ event_id }) => event_id)).toEqual([fresh.id]);
});

test('after a restore an endpoint receives new events wherever its topic ended before', async () => {
  const made: Endpoint = { ...shopEndpoint(), ends: { [topics.customer]: { '0': '50' } }, created_at: '2026-01-01T00:00:00.000Z' };
  await rows.endpoints.insert(made);
  await afterRestore(rows, '2026-02-01T00:00:00.000Z');
  const position = { part: '0', at: 45n, end: 90n };
  await fanOutOn().on([{ ...customerCreated, time: '2099-01-01T00:00:00.000Z' }], { topic: topics.customer, positions: [position] });
  expect(await rows.deliveries.count({})).toBe(1);
});

test('after a restore the deliveries that a backup holds as pending are cancelled', async () => {
  await rows.endpoints.insert(shopEndpoint());
  await fanOutOn().on([customerCreated], { topic: topics.customer, positions: [] });
  await afterRestore(rows, '2098-01-01T00:00:00.000Z');
  expect(await Array.fromAsync(rows.deliveries.find({}))).toEqual([expect.objectContaining({ status: 'cancelled', due_at: null })]);
});

test('what is made after the restore stays, when a slower replica starts', async () => {
  const ends = { [topics.customer]: { '0': '7' } };
  await rows.endpoints.insert({ ...shopEndpoint(), ends, created_at: '2026-03-01T00:00:00.000Z' });
  await fanOutOn().on([customerCreated], { topic: topics.customer, positions: [{ part: '0', at: 9n, end: 90n }] });
  await afterRestore(rows, '2001-01-01T00:00:00.000Z');
  expect(await rows.deliveries.count({ status: 'pending', endpoint_id: shopEndpoint()._id })).toBe(1);
  expect((await rows.endpoints.get(shopEndpoint()._id))?.ends).toEqual(ends);
});

describe('an endpoint created when the topic ended at 7', () => {
  const made: Endpoint = { ...shopEndpoint(), ends: { [topics.customer]: { '0': '7' } }, created_at: '2026-01-01T00:00:00.000Z' };
  const at = (position: number): EventPosition => ({ part: '0', at: BigInt(position), end: 100n });
  const of = (id: number, time: string): PublicEvent => ({ ...customerCreated, id: `evt_01jqz5rk4e700000000000000${id}`, time });
  const PAST = '2001-01-01T00:00:00.000Z';
  const FUTURE = '2099-01-01T00:00:00.000Z';
  beforeEach(() => rows.endpoints.insert(made));

  const receivedEvents = async (): Promise<string[]> =>
    (await Array.fromAsync(rows.deliveries.find({ endpoint_id: made._id }, { sort: { _id: 1 } }))).map(({ event_id }) =>
      event_id.slice(-1),
    );

  test('receives events from position 7 on, whatever the clock of their writer', async () => {
    await fanOutOn().on([of(1, FUTURE), of(2, PAST), of(3, PAST)], { topic: topics.customer, positions: [at(6), at(7), at(8)] });
    expect(await receivedEvents()).toEqual(['2', '3']);
  });

  test('does not receive an earlier event that is published again, and loses no later one by it', async () => {
    const fanOut = fanOutOn();
    await rows.endpoints.claim({ _id: made._id }, { set: { status: 'disabled' } });
    await fanOut.on([of(1, FUTURE), of(2, PAST)], { topic: topics.customer, positions: [at(6), at(7)] });
    await rows.endpoints.claim({ _id: made._id }, { set: { status: 'enabled' } });
    await fanOut.on([of(1, FUTURE), of(2, PAST), of(3, PAST)], { topic: topics.customer, positions: [at(10), at(11), at(12)] });
    expect(await receivedEvents()).toEqual(['2', '3']);
  });

  describe('and a batch that was read before its creation and is handled after it', () => {
    const lagging = (position: number): EventPosition => ({ part: '0', at: BigInt(position), end: 6n });

    test('receives nothing of it, whatever the clocks say', async () => {
      await fanOutOn({ bus: busAt(7) }).on([of(1, FUTURE)], { topic: topics.customer, positions: [lagging(5)] });
      expect(await receivedEvents()).toEqual([]);
    });

    test('compares times when the topic was recreated since', async () => {
      await fanOutOn({ bus: busAt(3) }).on([of(1, FUTURE), of(2, PAST)], { topic: topics.customer, positions: [lagging(2), lagging(2)] });
      expect(await receivedEvents()).toEqual(['1']);
    });

    test('fails and stores nothing while the bus cannot say where the topic ends', async () => {
      const bus = { ends: () => Promise.reject(new Error('away')) } as unknown as WebhooksContext['bus'];
      const done = fanOutOn({ bus }).on([of(1, FUTURE)], { topic: topics.customer, positions: [lagging(5)] });
      await expect(done).rejects.toMatchObject({ code: 'service_unavailable' });
      expect(await rows.events.count({})).toBe(0);
    });
  });

  test('compares times for an event of a deleted topic that is replayed from the dead letters', async () => {
    const fanOut = fanOutOn({ bus: busAt(20) });
    await fanOut.on([of(1, PAST), of(2, FUTURE), of(3, PAST)], {
      topic: topics.customer,
      positions: [
        { part: '0', at: 50n },
        { part: '0', at: 51n },
        { part: '0', at: 8n },
      ],
    });
    expect(await receivedEvents()).toEqual(['2', '3']);
  });

  test('compares times on a bus without positions', async () => {
    await fanOutOn().on([of(1, PAST), of(2, FUTURE)], { topic: topics.customer, positions: [undefined, undefined] });
    expect(await receivedEvents()).toEqual(['2']);
  });
});
