import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { Engine } from '@svc/embedded';
import type { EventPosition } from '@svc/event-bus';
import { FakeClock, settleTurns } from '@svc/kernel';
import type { WebhooksContext } from '../context.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { FanOut } from './fan-out.ts';
import { customerCreated, rowsOn, shopEndpoint } from './testing/rows.ts';
import type { DeliveryWorker } from './worker.ts';

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

/** A bus whose customers' topic ends at `end` in its one partition. */
const busAt = (end: number) => ({ ends: async () => ({ '0': `${end}` }) }) as unknown as WebhooksContext['bus'];
const fanOutOn = (parts: Partial<WebhooksContext> = {}): FanOut =>
  new FanOut(
    { ...rows, clock: new FakeClock(), bus: busAt(100), ...parts } as unknown as WebhooksContext,
    { wake: () => undefined } as DeliveryWorker,
  );

test('there is no delivery before its event is there: another replica may claim it at once', async () => {
  const { endpoints, events, deliveries } = rows;
  await endpoints.insert(shopEndpoint());
  const open = Promise.withResolvers<void>();
  const slow: typeof events = { ...events, write: async (ops) => (await open.promise, events.write(ops)) };
  const done = fanOutOn({ events: slow }).customers([customerCreated], { positions: [] });
  await settleTurns(50);
  expect(await deliveries.count({})).toBe(0);
  open.resolve();
  await done;
  expect([await events.count({}), await deliveries.count({})]).toEqual([1, 1]);
});

describe('an endpoint made when the topic ended at 7', () => {
  const made: Endpoint = { ...shopEndpoint(), ends: { [topics.customer]: { '0': '7' } }, created_at: '2026-01-01T00:00:00.000Z' };
  const at = (position: number): EventPosition => ({ part: '0', at: BigInt(position), end: 100n });
  const of = (id: number, time: string): PublicEvent => ({ ...customerCreated, id: `evt_01jqz5rk4e700000000000000${id}`, time });
  const PAST = '2001-01-01T00:00:00.000Z';
  const FUTURE = '2099-01-01T00:00:00.000Z';
  beforeEach(() => rows.endpoints.insert(made));

  const told = async (): Promise<string[]> =>
    (await Array.fromAsync(rows.deliveries.find({ endpoint_id: made._id }, { sort: { _id: 1 } }))).map(({ event_id }) =>
      event_id.slice(-1),
    );

  test('is told of what comes at 7 and later, whatever the clock of who wrote it said', async () => {
    await fanOutOn().customers([of(1, FUTURE), of(2, PAST), of(3, PAST)], { positions: [at(6), at(7), at(8)] });
    expect(await told()).toEqual(['2', '3']);
  });

  test('is not told of an event from before that is published once more, nor is one from after lost so', async () => {
    const fanOut = fanOutOn();
    await rows.endpoints.claim({ _id: made._id }, { set: { status: 'disabled' } });
    await fanOut.customers([of(1, FUTURE), of(2, PAST)], { positions: [at(6), at(7)] });
    await rows.endpoints.claim({ _id: made._id }, { set: { status: 'enabled' } });
    await fanOut.customers([of(1, FUTURE), of(2, PAST), of(3, PAST)], { positions: [at(10), at(11), at(12)] });
    expect(await told()).toEqual(['2', '3']);
  });

  describe('a batch that was read before it was made, and is handled later', () => {
    const lagging = (position: number): EventPosition => ({ part: '0', at: BigInt(position), end: 6n });

    test('is from before, whatever the clocks say', async () => {
      await fanOutOn({ bus: busAt(7) }).customers([of(1, FUTURE)], { positions: [lagging(5)] });
      expect(await told()).toEqual([]);
    });

    test('is told by time where the topic was created anew since', async () => {
      await fanOutOn({ bus: busAt(3) }).customers([of(1, FUTURE), of(2, PAST)], { positions: [lagging(2), lagging(2)] });
      expect(await told()).toEqual(['1']);
    });

    test('fails for as long as the bus does not tell where the topic ends, and nothing of it is stored', async () => {
      const bus = { ends: () => Promise.reject(new Error('away')) } as unknown as WebhooksContext['bus'];
      const done = fanOutOn({ bus }).customers([of(1, FUTURE)], { positions: [lagging(5)] });
      await expect(done).rejects.toMatchObject({ code: 'service_unavailable' });
      expect(await rows.events.count({})).toBe(0);
    });
  });

  test('an event of a topic that was deleted since, taken up from the dead letters, goes by time', async () => {
    const fanOut = fanOutOn({ bus: busAt(20) });
    await fanOut.customers([of(1, PAST), of(2, FUTURE), of(3, PAST)], {
      positions: [
        { part: '0', at: 50n },
        { part: '0', at: 51n },
        { part: '0', at: 8n },
      ],
    });
    expect(await told()).toEqual(['2', '3']);
  });

  test('on a bus that tells no positions goes by time', async () => {
    await fanOutOn().customers([of(1, PAST), of(2, FUTURE)], { positions: [undefined, undefined] });
    expect(await told()).toEqual(['2']);
  });
});
