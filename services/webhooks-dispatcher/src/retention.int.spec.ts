import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { createRetention, embeddedDocumentStore, type DocumentStore } from '@svc/document-store';
import { RETENTION } from '@svc/document-store/retention';
import { killedBehind } from '@svc/document-store/testing/killed-behind';
import { reporting, type Visited } from '@svc/document-store/testing/visited';
import type { Engine } from '@svc/embedded';
import type { EventPosition } from '@svc/event-bus';
import { createIds, FakeClock, iso, type JsonText, settleTurns, soon, type Ids } from '@svc/kernel';
import type { Identity } from '@svc/service';
import { wholeOf } from '@svc/service/lists/testing/whole';
import type { WebhooksContext } from './delivery/context.ts';
import { deliveryId, type Delivery } from './delivery/delivery.ts';
import { FanOut } from './delivery/fan-out.ts';
import { CONTRACT_DELAYS } from './delivery/schedule.ts';
import { answer, openProcess, ring } from './delivery/testing/process.ts';
import { customerCreated, rowsIn, shopEndpoint, silent } from './delivery/testing/rows.ts';
import type { DeliveryWorker } from './delivery/worker.ts';
import { EventsController } from './event/http.ts';
import { pageBehind } from './recovery/missing.ts';
import { recover } from './recovery/recover.ts';
import { startRecoveries } from './recovery/start.ts';
import { retentionsOf } from './retention.ts';
import type { Answered, Outgoing } from './sending/send.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let folder: string;
let engine: Engine;
let clock: FakeClock;
let ids: Ids;
let context: WebhooksContext;
let worker: DeliveryWorker;
let fanOut: FanOut;
let sent: Outgoing[];
let send: (request: Outgoing) => Answered | Promise<Answered>;
const endpoint = { ...shopEndpoint(), secret: ring.encrypt('whsec_AAAA') };

const documents = (): DocumentStore => embeddedDocumentStore(engine, 'svc_webhooks');
/** A process on the folder. */
function open(): void {
  ({ engine, context, worker } = openProcess(folder, {
    ...{ clock, delays: CONTRACT_DELAYS, lookEvery: HOUR },
    send: (request) => (sent.push(request), send(request)),
  }));
  fanOut = new FanOut(context, worker);
}
async function close(): Promise<void> {
  const stopped = worker.stop();
  await clock.advance(15_000);
  await stopped;
  engine.close();
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-retention-'));
  clock = new FakeClock();
  ids = createIds(clock);
  [sent, send] = [[], () => answer(200)];
  open();
  await context.endpoints.insert(endpoint);
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

const advance = (ms: number): Promise<void> => clock.advance(ms, () => settleTurns(30));
const event = (n: number): PublicEvent => ({
  ...{ ...customerCreated, id: `evt_${ids.next()}`, subject: `cust_${n}`, sequence: n },
  ...{ time: iso(clock.now()), data: { id: `cust_${n}`, name: 'Zoë "Z"' } },
});
async function published(count: number): Promise<string[]> {
  const events = Array.from({ length: count }, (_, n) => event(n));
  await fanOut.on(events, { topic: topics.customer, positions: [] });
  await settleTurns(30);
  return events.map(({ id }) => id);
}
/** Passes over all collections. */
async function removeOld(from: WebhooksContext = context, store = documents()): Promise<void> {
  const running = createRetention({ documents: store, clock, logger: silent, of: retentionsOf(from) }).start();
  await advance(24 * MINUTE);
  await running.stop();
}
const stored = async (): Promise<[events: number, deliveries: number]> => [
  await context.events.count({}),
  await context.deliveries.count({}),
];
const deliveryOf = async (id = ''): Promise<Delivery> => (await context.deliveries.get(deliveryId(id, endpoint._id))) as Delivery;
const read = (id: string) =>
  new EventsController(context).read({ identity: { account: 'acct_1', env: 'test' }, params: { id }, turn: soon } as never);
const notFound = expect.objectContaining({ code: 'not_found' });

test('an event and its delivery are read and redelivered for 30 days, with the bytes that were sent first, and then are gone', async () => {
  const [id = ''] = await published(1);
  expect(sent).toHaveLength(1);
  await advance(30 * DAY - HOUR);
  await removeOld();
  expect(((await read(id)) as JsonText).text).toBe(String(sent[0]?.body));
  await worker.redeliver(endpoint, deliveryId(id, endpoint._id));
  expect(sent[1]?.body.equals(sent[0]?.body as Buffer)).toBe(true);

  // It was attempted again a moment ago: what came of it can be read for three days.
  await advance(2 * DAY);
  await removeOld();
  expect((await deliveryOf(id)).attempts).toHaveLength(2);
  await advance(2 * DAY);
  await removeOld();
  expect(await stored()).toEqual([0, 0]);
  await expect(read(id)).rejects.toEqual(notFound);
  await expect(worker.redeliver(endpoint, deliveryId(id, endpoint._id))).rejects.toEqual(notFound);
});

test('a delivery that waits stays with its event, and its attempt sends the bytes', async () => {
  const [late = '', ...others] = await published(150);
  const { _id, version } = await deliveryOf(late);
  const due_at = clock.now() + 40 * DAY;
  await context.deliveries.claim({ _id, version }, { set: { status: 'pending', attempts: [], due_at, next_at: due_at } });
  sent.length = 0;
  await advance(35 * DAY);
  await removeOld();
  expect([await stored(), others.length]).toEqual([[1, 1], 149]);
  await advance(6 * DAY);
  expect(sent.map(({ body }) => (JSON.parse(String(body)) as { id: string }).id)).toEqual([late]);
  await advance(4 * DAY);
  await removeOld();
  expect(await stored()).toEqual([0, 0]);
});

test('the log of a deleted endpoint stays its 30 days', async () => {
  await published(3);
  await context.endpoints.claim({ _id: endpoint._id }, { set: { deleted: true, deleted_at: iso(clock.now()), place: 'gone' } });
  await advance(29 * DAY);
  await removeOld();
  expect(await stored()).toEqual([3, 3]);
  await advance(2 * DAY);
  await removeOld();
  expect(await stored()).toEqual([0, 0]);
});

test('a recovery of events that are about to go hands over all that it has counted, and counts them to its end', async () => {
  await context.endpoints.claim({ _id: endpoint._id }, { set: { events: [] } });
  const events = await published(120);
  await context.endpoints.claim({ _id: endpoint._id }, { set: { events: ['*'] } });
  await advance(30 * DAY - 10 * MINUTE);
  const idIn = ({ body }: Outgoing): string => (JSON.parse(String(body)) as { id: string }).id;
  // Each first attempt fails, so that the recovery pauses, and goes on when its events are older than what is kept.
  send = (request) => answer(sent.filter((one) => idIn(one) === idIn(request)).length > 1 ? 200 : 500);
  const recoveries = startRecoveries(context, worker);
  const identity = { account: 'acct_1', env: 'test', commandId: ids.next() } as Identity;
  const body = { since: iso(clock.now() - 30 * DAY + MINUTE) };
  expect(await recover(context, identity, endpoint._id, { body, turn: soon })).toMatchObject({ created: 120 });
  recoveries.wake();
  await removeOld();
  await removeOld();
  await removeOld();
  await removeOld();
  expect((await worker.ended(endpoint._id)).recovery?.status).toBe('running');
  while ((await worker.ended(endpoint._id)).recovery?.status === 'running') await removeOld();
  expect((await worker.ended(endpoint._id)).recovery).toMatchObject({ created: 120, delivered: 120, failed: 0, status: 'done' });
  expect([...new Set(sent.map(idIn))].sort()).toEqual([...events].sort());
  await recoveries.stop();
}, 120_000);

test('a page of a recovery whose events are all removed while it is read goes on from the same time', async () => {
  await published(5);
  const page: typeof context.events.page = async (...asked) => {
    const found = await context.events.page(...asked);
    await context.events.write([...found.docs.map(({ _id }) => ({ delete: _id })), ...found.left.map((id) => ({ delete: id }))]);
    return found;
  };
  const events = { ...context.events, page };
  const wanted = { until: clock.now(), types: ['customer.created' as const], at: 7, after: 'evt_1', limit: 5 };
  const tenant = { account: 'acct_1', env: 'test' as const };
  expect(await pageBehind({ ...context, events }, tenant, endpoint._id, wanted, soon)).toEqual({
    candidates: [],
    next: { at: 7, after: 'evt_1' },
  });
});

describe('a group that reads its topics again from the first event on', () => {
  const positions = (from: number, count: number, end?: bigint): EventPosition[] =>
    Array.from({ length: count }, (_, n) => ({ part: '3', at: BigInt(from + n), ...(end === undefined ? {} : { end }) }));
  const receive = async (events: PublicEvent[], at: EventPosition[]): Promise<void> => {
    await fanOut.on(events, { topic: topics.customer, positions: at });
    await settleTurns(30);
  };
  let old: PublicEvent[];
  let handled: number;
  beforeEach(async () => {
    old = [event(0), event(1), event(2)];
    await receive(old, positions(10, 3, 13n));
    await advance(32 * DAY);
    await removeOld();
    expect(await stored()).toEqual([0, 0]);
    handled = sent.length;
  });

  test('neither stores nor sends what it has handled', async () => {
    await receive(old, positions(10, 3, 13n));
    expect([await stored(), sent.length]).toEqual([[0, 0], handled]);
  });

  test('sends what it has not handled, however old it is, and keeps that for three days', async () => {
    const before = new FakeClock(clock.now() - 31 * DAY);
    const missed = { ...event(3), id: `evt_${createIds(before).next()}`, time: iso(before.now()) };
    await receive([...old, missed], positions(10, 4, 14n));
    await removeOld();
    expect([await stored(), sent.length]).toEqual([[1, 1], handled + 1]);
    await advance(4 * DAY);
    await removeOld();
    expect(await stored()).toEqual([0, 0]);
  });

  test('sends an event that comes from the dead letters', async () => {
    await receive([old[1] as PublicEvent], positions(11, 1));
    expect(sent).toHaveLength(handled + 1);
  });
});

test('who follows an event that is gone is refused, and can follow the next one that is stored', async () => {
  const [gone = ''] = await published(2);
  await advance(32 * DAY);
  await removeOld();
  const [next = ''] = await published(1);
  const list = (query: object) => new EventsController(context).list(request(query));
  await expect(list({ after: gone })).rejects.toEqual(expect.objectContaining({ code: 'invalid_request' }));
  const shown = async (query: object) => (await wholeOf<{ id: string }>((await list(query)) as never)).data.map(({ id }) => id);
  expect(await shown({})).toEqual([next]);
  const [last] = await published(1);
  expect(await shown({ after: next })).toEqual([last]);
});

test('no statement visits many entries, however many are to go', async () => {
  for (let n = 0; n < 15; n += 1) await published(100);
  await advance(33 * DAY);
  const visits: Visited[] = [];
  const seen = embeddedDocumentStore(
    reporting(engine, (visited) => visits.push(visited)),
    'svc_webhooks',
  );
  await removeOld({ ...context, ...rowsIn(seen) }, seen);
  await removeOld({ ...context, ...rowsIn(seen) }, seen);
  expect(await stored()).toEqual([0, 0]);
  expect(visits.length).toBeGreaterThan(100);
  expect(visits.filter(({ entries, sorts }) => entries > 2_100 || sorts())).toEqual([]);
});

test('whichever write the process is killed at, what must stay is there, and the next process removes the rest', async () => {
  let kills = 0;
  for (let isOver = false; !isOver; kills += 1) {
    const [waits = ''] = await published(130);
    const { _id, version } = await deliveryOf(waits);
    const due_at = clock.now() + 90 * DAY;
    await context.deliveries.claim({ _id, version }, { set: { status: 'pending', attempts: [], due_at, next_at: due_at } });
    await advance(33 * DAY);
    const young = await published(2);
    await worker.stop();
    const dying = killedBehind(documents(), kills, () => engine.abandon());
    const running = createRetention({
      ...{ documents: dying.documents, clock, logger: silent },
      of: retentionsOf({ ...context, ...rowsIn(dying.documents) }),
    }).start();
    await advance(30 * MINUTE);
    isOver = !dying.isDead();
    const stopped = running.stop();
    if (isOver) await stopped.then(() => engine.close());
    else stopped.catch(() => undefined); // a killed process shows no metrics
    open();
    await removeOld();
    const left = (await Array.fromAsync(context.events.find({}))).map((row) => row._id);
    expect([kills, left.sort(), (await stored())[1]]).toEqual([kills, [waits, ...young].sort(), 3]);
    const lists = await wholeOf<{ id: string }>((await new EventsController(context).list(request({}))) as never);
    expect(lists.data).toHaveLength(3);
    await context.deliveries.write((await Array.fromAsync(context.deliveries.find({}))).map((row) => ({ delete: row._id })));
    await context.events.write(left.map((one) => ({ delete: one })));
    await documents()
      .collection(RETENTION)
      .write([{ delete: 'events' }, { delete: 'deliveries' }]);
  }
  expect(kills).toBeGreaterThan(10);
}, 120_000);

const request = (query: object) =>
  ({
    ...{ identity: { account: 'acct_1', env: 'test' }, query: { page: 1, per_page: 20, ...query } },
    ...{ params: {}, url: '/v1/events', turn: soon, releasePermit: () => undefined },
  }) as never;
