import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecoverWebhook } from '@svc/contracts/webhook/requests';
import type { WebhookEventType } from '@svc/contracts/webhook/vocabulary';
import type { JobQueue } from '@svc/document-store';
import type { Engine } from '@svc/embedded';
import { createIds, FakeClock, iso, type Ids, settleTurns, soon } from '@svc/kernel';
import type { Identity } from '@svc/service';
import type { WebhooksContext } from '../delivery/context.ts';
import { type Delivery, deliveryId, newDelivery } from '../delivery/delivery.ts';
import { answer, openProcess, ring } from '../delivery/testing/process.ts';
import { customerCreated, shopEndpoint } from '../delivery/testing/rows.ts';
import { CONTRACT_DELAYS } from '../delivery/schedule.ts';
import type { DeliveryWorker } from '../delivery/worker.ts';
import { updateEndpoint } from '../endpoint/change.ts';
import { NONE_ENDED } from '../endpoint/endpoint.ts';
import type { Recovery } from '../endpoint/recovery.ts';
import { type StoredEvent, storedEvent } from '../event/event.ts';
import type { Answered } from '../sending/send.ts';
import { recover } from './recover.ts';
import { startRecoveries } from './start.ts';

const DAY = 86_400_000;

interface Sent {
  id: string;
  resource: string;
  sequence: number;
  at: number;
}

let folder: string;
let delays: readonly number[];
let engine: Engine;
let clock: FakeClock;
let ids: Ids;
let context: WebhooksContext;
let worker: DeliveryWorker;
let recoveries: JobQueue;
let sent: Sent[];
/** Attempts under way by resource. */
let underWay: Map<string, number>;
let mostOfOne: number;
let send: (sent: Sent) => Promise<Answered> | Answered;

/** A process on the folder. */
function open(): void {
  ({ engine, context, worker } = openProcess(folder, {
    ...{ clock, delays, lookEvery: 1_000 },
    async send({ body }) {
      const { id, sequence, data } = JSON.parse(String(body)) as { id: string; sequence: number; data: { id: string } };
      const one = { id, sequence, resource: data.id, at: clock.now() };
      sent.push(one);
      underWay.set(data.id, (underWay.get(data.id) ?? 0) + 1);
      mostOfOne = Math.max(mostOfOne, underWay.get(data.id) ?? 0);
      const answered = await send(one);
      underWay.set(data.id, (underWay.get(data.id) ?? 0) - 1);
      return answered;
    },
  }));
  recoveries = startRecoveries(context, worker.wake);
  worker.recovers(recoveries.wake);
}
async function close(): Promise<void> {
  const stopped = Promise.all([worker.stop(), recoveries.stop()]);
  await clock.advance(15_000);
  await stopped;
  engine.close();
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-recovery-'));
  clock = new FakeClock();
  ids = createIds(clock);
  [sent, underWay, mostOfOne, send, delays] = [[], new Map(), 0, () => answer(200), CONTRACT_DELAYS];
  open();
  await context.endpoints.insert({ ...shopEndpoint(), secret: ring.encrypt('whsec_AAAA') });
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

const identity = (commandId = ids.next()): Identity =>
  ({ account: 'acct_1', env: 'test', commandId, requestId: 'req_1', actor: { type: 'api_key', id: 'key_1' } }) as Identity;
const start = (body: Partial<RecoverWebhook> & object = {}, who = identity()) => {
  const asked = (body.stop ? body : { since: iso(clock.now() - DAY), ...body }) as RecoverWebhook;
  return recover(context, who, 'we_1', { body: asked, turn: soon }).finally(worker.recover);
};
const shown = async () => (await worker.ended('we_1')).recovery;
const rows = (): Promise<Delivery[]> => Array.fromAsync(context.deliveries.find({ endpoint_id: 'we_1' }, { sort: { _id: 1 } }));
const refused = (code: string) => expect.objectContaining({ code });

let log = 0;
/** Stores events that no endpoint has received, of as many resources. */
async function missed(
  count: number,
  { resources = count, type = 'customer.created' as WebhookEventType, apart = 0 } = {},
): Promise<StoredEvent[]> {
  const made: StoredEvent[] = [];
  for (let n = 0; n < count; n += 1) {
    const subject = `cust_${n % resources}`;
    const event = { ...customerCreated, id: `evt_${ids.next()}`, subject, time: iso(clock.now()), sequence: n + 1, data: { id: subject } };
    made.push({ ...storedEvent({ event, type }), log_position: (log += 1) });
    if (apart > 0) await clock.advance(apart);
  }
  await context.events.write(made.map((insert) => ({ insert })));
  return made;
}
async function until(isDone: () => Promise<boolean> | boolean, mostMs = 600_000): Promise<void> {
  for (const end = clock.now() + mostMs; !(await isDone()); await clock.advance(100))
    if (clock.now() > end) throw new Error('it does not come');
}
const isDone = async (): Promise<boolean> => (await shown())?.status === 'done';

test('sends what was missed, each once, and says how far it is', async () => {
  const events = await missed(150);
  expect(await start()).toEqual({ object: 'recovery', matched: 150, created: 150, status: 'running' });
  await until(isDone);
  expect(sent.map(({ id }) => id).toSorted()).toEqual(events.map(({ _id }) => _id).toSorted());
  expect(await shown()).toMatchObject({ matched: 150, created: 150, delivered: 150, failed: 0, status: 'done', event_types: null });
  expect(await start()).toMatchObject({ matched: 0, created: 0 });
  await until(isDone);
  expect(sent).toHaveLength(150);
});

test('counts only what it would send', async () => {
  await missed(3);
  await missed(2, { type: 'invoice.created' });
  expect(await start({ dry_run: true })).toEqual({ object: 'recovery', matched: 5, created: 0, status: 'done' });
  expect(await start({ dry_run: true, event_types: ['invoice.created'] })).toMatchObject({ matched: 2 });
  await context.endpoints.claim({ _id: 'we_1' }, { set: { events: ['customer.created'] } });
  expect(await start({ dry_run: true })).toMatchObject({ matched: 3 });
  expect([await shown(), sent.length]).toEqual([null, 0]);
});

test('the time is bounded on both ends, both included', async () => {
  const [first] = await missed(1);
  const at = (first as StoredEvent).at;
  await clock.advance(1_000);
  const matched = async (since: number, to: number) => (await start({ dry_run: true, since: iso(since), until: iso(to) })).matched;
  expect([await matched(at, at), await matched(at + 1, at + 9), await matched(at - 9, at - 1)]).toEqual([1, 0, 0]);
  for (const body of [{ since: iso(clock.now() + 1_000) }, { since: iso(clock.now() - 31 * DAY) }, { since: iso(at), until: iso(at - 1) }])
    await expect(start(body)).rejects.toEqual(refused('validation_error'));
});

test('more events of one millisecond than a page holds are counted and sent once', async () => {
  await missed(1_300, { resources: 1_300 });
  expect(await start()).toMatchObject({ matched: 1_300, created: 1_300 });
  await until(isDone);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1_300);
  expect(sent).toHaveLength(1_300);
});

test('events of one resource are sent one at a time, the oldest first', async () => {
  const answered = async (): Promise<Answered> => (await clock.sleep(30), answer(200));
  send = answered;
  await missed(24, { resources: 3, apart: 5 });
  await start();
  await until(isDone);
  expect(mostOfOne).toBe(1);
  for (const resource of ['cust_0', 'cust_1', 'cust_2']) {
    const own = sent.filter((one) => one.resource === resource).map(({ sequence }) => sequence);
    expect(own).toEqual(own.toSorted((a, b) => a - b));
  }
});

test('what succeeded is not sent again, what is pending is not made again, and what failed or was cancelled is', async () => {
  const [done, failed, cancelled, pending] = (await missed(4)) as [StoredEvent, StoredEvent, StoredEvent, StoredEvent];
  const endpoint = (await context.endpoints.get('we_1')) as never;
  const of = (event: StoredEvent, status: Delivery['status'], due_at: number | null): Delivery => {
    const attempt = { n: 1, at: iso(0), duration_ms: 1, trigger: 'schedule' as const, status_code: 500, error: 'x', response_body: '' };
    return { ...newDelivery(event, endpoint, 0), status, due_at, next_at: due_at, attempts: [attempt] };
  };
  const later = clock.now() + DAY;
  const made = [of(done, 'succeeded', null), of(failed, 'failed', null), of(cancelled, 'cancelled', null), of(pending, 'pending', later)];
  await context.deliveries.write(made.map((insert) => ({ insert })));
  expect(await start()).toMatchObject({ matched: 3, created: 2 });
  await until(isDone);
  expect(sent.map(({ id }) => id).toSorted()).toEqual([failed._id, cancelled._id].toSorted());
  expect(await context.deliveries.get(deliveryId(failed._id, 'we_1'))).toMatchObject({
    status: 'succeeded',
    attempts: [{ n: 1 }, { n: 2 }],
  });
  expect(await context.deliveries.get(deliveryId(pending._id, 'we_1'))).toMatchObject({ status: 'pending', due_at: later });
});

test('the schedule of a delivery that had failed begins anew', async () => {
  await close();
  delays = [100, 200, 300, 400, 500];
  open();
  await missed(1);
  send = () => answer(500);
  await start();
  await until(isDone);
  expect((await rows())[0]).toMatchObject({ status: 'failed', attempts: { length: 6 } });
  await start();
  await until(isDone);
  expect((await rows())[0]).toMatchObject({ status: 'failed', attempts: { length: 12 } });
  expect(await shown()).toMatchObject({ matched: 1, created: 1, delivered: 0, failed: 1, status: 'done' });
});

test('an endpoint that fails gets a few at growing pauses, and all of it when it is well again', async () => {
  await missed(60);
  send = () => answer(503);
  await start();
  await clock.advance(30_000);
  expect(sent.length).toBeLessThan(16);
  send = () => answer(200);
  await until(isDone);
  expect(await shown()).toMatchObject({ delivered: 60, failed: 0 });
}, 120_000);

test('one at a time: a second is refused, a repeat of the command is not', async () => {
  await missed(5);
  send = () => new Promise(() => undefined);
  const who = identity();
  const first = await start({}, who);
  await expect(start()).rejects.toEqual(refused('invalid_state'));
  expect(await start({}, who)).toEqual(first);
  expect(await start({ dry_run: true })).toMatchObject({ matched: 5, created: 0 });
});

test('is refused on a disabled and on an unknown endpoint, and where none runs that could be ended', async () => {
  await expect(start({ stop: true })).rejects.toEqual(refused('invalid_state'));
  await updateEndpoint(context, identity(), { id: 'we_1' }, { body: { status: 'disabled' }, ended: NONE_ENDED });
  await expect(start()).rejects.toEqual(refused('invalid_state'));
  await expect(recover(context, identity(), 'we_2', { body: {} as RecoverWebhook, turn: soon })).rejects.toEqual(refused('not_found'));
});

test('ends on request: what is under way is recorded, what waits is cancelled, and the rest can be recovered', async () => {
  const events = await missed(60);
  send = async () => (await clock.sleep(250), answer(200));
  await start();
  await clock.advance(600);
  expect(await start({ stop: true })).toMatchObject({ matched: 60, status: 'stopped' });
  expect(await start({ stop: true })).toMatchObject({ status: 'stopped' });
  await clock.advance(3_000);
  const before = sent.length;
  expect(before).toBeLessThan(60);
  expect((await rows()).filter(({ status }) => status === 'pending')).toEqual([]);
  await start();
  await until(isDone);
  expect(sent.map(({ id }) => id).toSorted()).toEqual(events.map(({ _id }) => _id).toSorted());
});

test('a disabling ends it', async () => {
  await missed(40);
  send = async () => (await clock.sleep(250), answer(200));
  await start();
  await clock.advance(300);
  await updateEndpoint(context, identity(), { id: 'we_1' }, { body: { status: 'disabled' }, ended: NONE_ENDED });
  worker.cancel('we_1');
  await clock.advance(5_000);
  expect(await shown()).toMatchObject({ status: 'stopped' });
  const before = sent.length;
  await clock.advance(60_000);
  expect([sent.length, (await rows()).filter(({ status }) => status === 'pending')]).toEqual([before, []]);
});

test.each([1, 2, 3, 4, 5, 6])(
  'a process that dies after %i hundred milliseconds leaves it to the next one, which sends nothing twice that was recorded',
  async (n) => {
    const events = await missed(40);
    send = async () => (await clock.sleep(70), answer(200));
    await start();
    await clock.advance(n * 100);
    const recorded = (await rows()).filter(({ status }) => status === 'succeeded').map(({ event_id }) => event_id);
    engine.abandon();
    open();
    await until(isDone);
    expect(new Set(sent.map(({ id }) => id))).toEqual(new Set(events.map(({ _id }) => _id)));
    for (const id of recorded) expect(sent.filter((one) => one.id === id)).toHaveLength(1);
    expect(await shown()).toMatchObject({ created: 40, delivered: 40, failed: 0 });
  },
);

test('fresh events pass it', async () => {
  await missed(400);
  send = async () => (await clock.sleep(100), answer(200));
  await start();
  await clock.advance(2_000);
  const [fresh] = (await missed(1)) as [StoredEvent];
  const one = (await context.endpoints.get('we_1')) as never;
  await context.deliveries.insert({ ...newDelivery(fresh, one, clock.now()) });
  worker.wake();
  const before = clock.now();
  await until(() => sent.some(({ id }) => id === fresh._id));
  expect(clock.now() - before).toBeLessThanOrEqual(500);
  expect((await shown())?.status).toBe('running');
});

test('a count that takes longer than two seconds goes on by itself', async () => {
  await missed(1_200, { apart: 1 });
  const slow = {
    ...context.events,
    indexed: (async (...given: Parameters<typeof context.events.indexed>) => (
      await clock.sleep(1_500),
      context.events.indexed(...given)
    )) as never,
  };
  const counted = recover({ ...context, events: slow }, identity(), 'we_1', { body: { since: iso(clock.now() - DAY) }, turn: soon });
  await clock.advance(10_000);
  const first = await counted;
  expect(first).toMatchObject({ counting: true, status: 'running' });
  expect(first.matched).toBeLessThan(1_200);
  worker.recover();
  await until(async () => (await context.recoveries.get('we_1'))?.phase !== 'counting');
  expect((await context.recoveries.get('we_1')) as Recovery).toMatchObject({ matched: 1_200, created: 1_200 });
  await settleTurns(10);
});

test('one failure counts once, also behind a resource whose events come one at a time', async () => {
  const [first] = (await missed(30, { resources: 1, apart: 1 })) as [StoredEvent];
  const [bad] = (await missed(1, { resources: 1, apart: 1 }).then(async (made) => {
    await context.events.claim({ _id: made[0]?._id ?? '' }, { set: { resource_id: 'cust_bad' } });
    return made;
  })) as [StoredEvent];
  send = async ({ id }) => (await clock.sleep(20), answer(id === bad._id ? 500 : 200));
  await start();
  await until(async () => sent.filter(({ resource }) => resource === first.resource_id).length >= 31 && sent.length >= 31, 60_000);
  expect((await context.recoveries.get('we_1'))?.pauseMs).toBeLessThanOrEqual(1_000);
});
