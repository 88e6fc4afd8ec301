import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyWebhook } from '@svc/client';
import { webhookEventTypes } from '@svc/contracts/webhook/vocabulary';
import type { Engine } from '@svc/embedded';
import { createIds, FakeClock, settleTurns } from '@svc/kernel';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { storedEvent } from '../event/event.ts';
import type { Answered, Outgoing } from '../sending/send.ts';
import type { WebhooksContext } from './context.ts';
import { type Delivery, newDelivery } from './delivery.ts';
import { eraseCustomer } from './erase-customer.ts';
import { answer, openProcess, ring } from './testing/process.ts';
import { customerCreated, shopEndpoint } from './testing/rows.ts';
import { CONTRACT_DELAYS } from './schedule.ts';
import type { DeliveryWorker } from './worker.ts';

const HOUR = 3_600_000;

let folder: string;
let engine: Engine;
let clock: FakeClock;
let context: WebhooksContext;
let worker: DeliveryWorker;
let sent: Outgoing[];
let send: (n: number) => Answered | Promise<Answered>;
let endpoint: Endpoint;
let delivery: Delivery;

/** A process on the folder. */
function open(): void {
  ({ engine, context, worker } = openProcess(folder, { clock, send: (request) => send(sent.push(request)) }));
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-manual-'));
  clock = new FakeClock();
  [sent, send] = [[], () => answer(500)];
  open();
  endpoint = { ...shopEndpoint(), secret: ring.encrypt('whsec_AAAA') };
  const event = storedEvent({ event: customerCreated, type: 'customer.created' });
  delivery = newDelivery(event, endpoint, clock.now());
  await context.endpoints.insert(endpoint);
  await context.events.insert(event);
  await context.deliveries.insert(delivery);
});
afterEach(async () => {
  const stopped = worker.stop();
  await clock.advance(15_000);
  await stopped;
  engine.close();
  rmSync(folder, { recursive: true });
});

const read = async (): Promise<Delivery> => (await context.deliveries.get(delivery._id)) as Delivery;
const redeliver = (id = delivery._id): Promise<Delivery> => worker.redeliver(endpoint, id);
const firstAttempt = async (): Promise<void> => {
  worker.wake();
  await settleTurns(30);
};

test('an attempt between those of the schedule leaves it as it is, and sends the same bytes', async () => {
  await firstAttempt();
  const { next_at, due_at } = await read();
  const after = await redeliver();
  expect([after.status, after.next_at, after.due_at]).toEqual(['pending', next_at, due_at]);
  expect(after.attempts.map(({ n, trigger, error }) => [n, trigger, error])).toEqual([
    [1, 'schedule', 'it answered 500'],
    [2, 'manual', 'it answered 500'],
  ]);
  expect(sent[1]?.body.equals(sent[0]?.body as Buffer)).toBe(true);
  for (const delay of CONTRACT_DELAYS) await clock.advance(delay + 1_000);
  const ended = await read();
  expect([ended.status, ended.attempts.filter(({ trigger }) => trigger === 'schedule').length]).toEqual(['failed', 6]);
});

test.each(['failed', 'cancelled', 'succeeded'] as const)('a %s one: success ends it, a failure leaves its status', async (status) => {
  await context.deliveries.claim({ _id: delivery._id }, { set: { status, due_at: null, next_at: null } });
  expect(await redeliver()).toMatchObject({ status, due_at: null });
  send = () => answer(204);
  expect(await redeliver()).toMatchObject({ status: 'succeeded', due_at: null, next_at: null });
  await clock.advance(48 * HOUR);
  expect(sent).toHaveLength(2);
});

test('a success ends the schedule of a pending one', async () => {
  await firstAttempt();
  send = () => answer(204);
  expect(await redeliver()).toMatchObject({ status: 'succeeded', due_at: null, next_at: null });
  await clock.advance(48 * HOUR);
  expect(sent).toHaveLength(2);
});

test('waits for the attempt of the schedule that is under way, but not for long', async () => {
  const answered = Promise.withResolvers<Answered>();
  send = (n) => (n === 1 ? answered.promise : answer(204));
  await firstAttempt();
  const late = expect(redeliver()).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 1 });
  await clock.advance(3_100);
  await late;
  const waits = redeliver();
  await clock.advance(1_000);
  expect(sent).toHaveLength(1);
  answered.resolve(answer(500));
  await settleTurns(30);
  await clock.advance(200);
  expect(await waits).toMatchObject({ status: 'succeeded', attempts: [{ trigger: 'schedule' }, { trigger: 'manual' }] });
});

test.each<Partial<Endpoint>>([{ deleted: true }, { status: 'disabled' }])(
  'an endpoint that is %j by the time at which it would begin gets nothing, and the schedule goes on as it was',
  async (off) => {
    const answered = Promise.withResolvers<Answered>();
    send = () => answered.promise;
    await firstAttempt();
    const refused = expect(redeliver()).rejects.toMatchObject({ code: 'invalid_state' });
    await clock.advance(500);
    await context.endpoints.claim({ _id: endpoint._id }, { set: off });
    answered.resolve(answer(500));
    await settleTurns(30);
    await clock.advance(200);
    await refused;
    const { attempts, due_at, next_at } = await read();
    expect([sent.length, attempts.length, due_at]).toEqual([1, 1, next_at]);
  },
);

test.each([5_000, 30_000, HOUR])('a process that dies during it, %i ms before the next attempt, makes that one not early', async (ms) => {
  await firstAttempt();
  const next_at = clock.now() + ms;
  await context.deliveries.claim({ _id: delivery._id }, { set: { next_at, due_at: next_at } });
  send = () => new Promise(() => undefined);
  void redeliver().catch(() => undefined);
  await settleTurns(30);
  expect(sent).toHaveLength(2);
  engine.abandon();
  open();
  send = () => answer(500);
  while (clock.now() < next_at - 1_000) await clock.advance(Math.min(60_000, next_at - 1_000 - clock.now()));
  expect(sent).toHaveLength(2);
  await clock.advance(2_000);
  expect(sent).toHaveLength(3);
});

test('an erasure meanwhile keeps the answer out of the row', async () => {
  await firstAttempt();
  const answered = Promise.withResolvers<Answered>();
  send = () => answered.promise;
  const made = redeliver();
  await settleTurns(30);
  await eraseCustomer(context, { account: 'acct_1', env: 'test', subject: 'cust_1' });
  answered.resolve({ ...answer(500), body: 'Ada Lovelace' } as Answered);
  expect((await made).attempts).toHaveLength(2);
  expect(JSON.stringify(await read())).not.toContain('Ada');
});

test('an endpoint that does not receive, another endpoint, an unknown delivery and the 51st attempt are refused', async () => {
  for (const off of [{ status: 'disabled' as const }, { deleted: true }])
    await expect(worker.redeliver({ ...endpoint, ...off }, delivery._id)).rejects.toMatchObject({ code: 'invalid_state' });
  await expect(worker.redeliver({ ...endpoint, _id: 'we_2' }, delivery._id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(redeliver('whd_none')).rejects.toMatchObject({ code: 'not_found' });
  await firstAttempt();
  const [attempt] = (await read()).attempts;
  await context.deliveries.claim(
    { _id: delivery._id },
    { set: { attempts: Array.from({ length: 50 }, () => attempt) as Delivery['attempts'] } },
  );
  await expect(redeliver()).rejects.toMatchObject({ code: 'invalid_state' });
});

test('of an account 16 are under way at one time', async () => {
  send = () => new Promise(() => undefined);
  await context.deliveries.claim({ _id: delivery._id }, { set: { status: 'failed', due_at: null, next_at: null } });
  for (let n = 0; n < 16; n += 1) void redeliver().catch(() => undefined);
  await expect(redeliver()).rejects.toMatchObject({ code: 'service_unavailable' });
  await settleTurns(30);
  expect(sent).toHaveLength(16);
});

test.each(webhookEventTypes)('a sample of %s is marked, signed and sent once, and nothing of it is stored', async (type) => {
  const ids = createIds(clock);
  await context.deliveries.claim({ _id: delivery._id }, { set: { status: 'failed', due_at: null } });
  const before = [await context.events.count({}), await context.deliveries.count({})];
  const made = await worker.sendSample(endpoint, type, ids.next());
  expect(made).toMatchObject({
    event_type: type,
    status: 'failed',
    due_at: null,
    attempts: [{ n: 1, trigger: 'manual', status_code: 500 }],
  });
  const event = verifyWebhook(sent[0] as Outgoing, 'whsec_AAAA', { now: new Date(clock.now()) });
  expect(event).toMatchObject({ id: made.event_id, object: 'event', type, livemode: false, test: true });
  expect(event.data.object).toBe(type.split('.')[0]);
  expect([await context.events.count({}), await context.deliveries.count({})]).toEqual(before);
  expect(await context.endpoints.get(endpoint._id)).toMatchObject({ version: 1 });
});
