import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '@svc/embedded';
import { createIds, FakeClock, iso, settleTurns } from '@svc/kernel';
import type { Identity } from '@svc/service';
import { enableEndpoint } from '../endpoint/change.ts';
import { type Endpoint, endpointResource, versionOf } from '../endpoint/endpoint.ts';
import { storedEvent } from '../event/event.ts';
import { failing } from '../endpoint/failing-endpoints.ts';
import type { Answered, Outgoing } from '../sending/send.ts';
import type { WebhooksContext } from './context.ts';
import { afterAttempt, type Delivery, type Made, newDelivery } from './delivery.ts';
import { createHealth } from './health.ts';
import { answer, openProcess, ring } from './testing/process.ts';
import { customerCreated, shopEndpoint } from './testing/rows.ts';
import type { DeliveryWorker } from './worker.ts';

const HOUR = 3_600_000;

let folder: string;
let engine: Engine;
let clock: FakeClock;
let ids: ReturnType<typeof createIds>;
let context: WebhooksContext;
let worker: DeliveryWorker;
let sent: Outgoing[];
let send: (request: Outgoing) => Answered | Promise<Answered>;

/** A process on the folder. */
function open(): void {
  ({ engine, context, worker } = openProcess(folder, {
    clock,
    send(request) {
      sent.push(request);
      return send(request);
    },
  }));
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-health-'));
  clock = new FakeClock();
  ids = createIds(clock);
  [sent, send] = [[], () => answer(500)];
  open();
  await context.endpoints.insert({ ...shopEndpoint(), revision: 1, secret: ring.encrypt('whsec_AAAA') });
});
afterEach(async () => {
  const stopped = worker.stop();
  await clock.advance(15_000);
  await stopped;
  engine.close();
  rmSync(folder, { recursive: true });
});

const endpoint = async (): Promise<Endpoint> => (await context.endpoints.get('we_1')) as Endpoint;
const shown = async () => endpointResource(await endpoint(), await worker.ended('we_1'));
const identity = (): Identity =>
  ({ account: 'acct_1', env: 'test', commandId: ids.next(), requestId: 'req_1', actor: { type: 'api_key', id: 'key_1' } }) as Identity;
const rows = (): Promise<Delivery[]> => Array.fromAsync(context.deliveries.find({ endpoint_id: 'we_1' }));

/** An event of now, and its delivery. */
async function happens(): Promise<Delivery> {
  const event = storedEvent({ event: { ...customerCreated, id: `evt_${ids.next()}`, time: iso(clock.now()) }, type: 'customer.created' });
  await context.events.insert(event);
  const delivery = newDelivery(event, await endpoint(), clock.now());
  await context.deliveries.insert(delivery);
  worker.wake();
  await settleTurns(20);
  return delivery;
}
async function pass(ms: number): Promise<void> {
  for (const until = clock.now() + ms; clock.now() < until;) await clock.advance(Math.min(HOUR, until - clock.now()));
}

test('fails since the first failed attempt, without a new version, until one succeeds', async () => {
  await happens();
  const since = clock.now();
  expect((await shown()).health).toEqual({
    ...{ status: 'failing', failing_since: iso(since), disabled_after: iso(since + 120 * HOUR) },
    ...{ last_success_at: null, last_error: 'it answered 500' },
  });
  await pass(HOUR);
  expect((await shown()).health.failing_since).toBe(iso(since));
  send = () => answer(204);
  await pass(3 * HOUR);
  expect(await shown()).toMatchObject({ version: 1, health: { status: 'ok', failing_since: null, disabled_after: null } });
  expect(Date.parse((await shown()).health.last_success_at ?? '')).toBeGreaterThan(since + HOUR);
});

test('says why it fails now, not why a delivery failed weeks ago', async () => {
  await happens();
  await pass(30 * HOUR); // the schedule ends
  send = () => answer(200);
  await happens();
  await pass(400 * HOUR);
  expect((await shown()).health).toMatchObject({ status: 'ok', last_error: 'it answered 500' });
  send = () => answer(403);
  await happens();
  expect((await shown()).health).toMatchObject({ status: 'failing', last_error: 'it answered 403' });
});

test('what fails by what another process has stored gets one attempt at a time, and its backlog is no lag', async () => {
  await context.endpoints.claim({ _id: 'we_1' }, { set: { failing_since: iso(clock.now() - HOUR), failure: 'it answered 500' } });
  const answered: ((answer: Answered) => void)[] = [];
  send = () => new Promise((resolve) => answered.push(resolve));
  for (let n = 0; n < 10; n += 1) await happens();
  await clock.advance(10_000);
  expect([sent.length, worker.lag()]).toEqual([1, 0]);
  answered.shift()?.(answer(500));
  await settleTurns(50);
  expect(sent).toHaveLength(2);
  answered.shift()?.(answer(200));
  await settleTurns(50);
  expect(sent).toHaveLength(10);
});

test('of attempts that are under way together, a success after a failure ends the failing, and one before it does not', async () => {
  const answered: ((answer: Answered) => void)[] = [];
  send = () => new Promise((resolve) => answered.push(resolve));
  const ends = async (at: number, status: number): Promise<void> => {
    answered[at]?.(answer(status));
    await clock.advance(10);
  };
  for (let n = 0; n < 5; n += 1) await happens();
  await ends(0, 500);
  await ends(1, 200);
  expect((await shown()).health).toMatchObject({ status: 'ok', failing_since: null });
  await ends(2, 200);
  await ends(3, 500);
  expect((await shown()).health.status).toBe('failing');
  await ends(4, 200);
  expect((await shown()).health.status).toBe('ok');
});

test('operators see how many endpoints fail, and how many of them are disabled within a day', async () => {
  const counts = (): Promise<number[]> => Promise.all([120, 24].map((hours) => failing(context, hours)));
  await happens();
  expect(await counts()).toEqual([1, 0]);
  await pass(97 * HOUR);
  expect(await counts()).toEqual([1, 1]);
  await context.endpoints.claim({ _id: 'we_1' }, { set: { status: 'disabled', disabled_reason: 'x', revision: 2, cleared_at: null } });
  expect(await counts()).toEqual([0, 0]);
});

test('is disabled by the first failure after 120 hours, not by the clock, and by none before', async () => {
  await happens();
  const since = Date.parse((await shown()).health.failing_since ?? '');
  await pass(119 * HOUR);
  await happens();
  expect((await shown()).status).toBe('enabled');
  await pass(30 * HOUR); // the retries of that one go on
  const { status, disabled_reason: reason } = await shown();
  expect(status).toBe('disabled');
  for (const part of ['120 hours', iso(since), 'it answered 500']) expect(reason).toContain(part);
  expect((await rows()).filter((row) => row.status === 'pending')).toEqual([]);
});

test('a success that another process has not stored in the endpoint keeps it from being disabled, and the failing begins anew', async () => {
  const [ours, others] = [createHealth(context, worker.cancel), createHealth(context, worker.cancel)];
  const made = (status: number): Made => ({ answered: answer(status), began: clock.now(), ended: clock.now() });
  const read = await endpoint();
  await ours(read, made(500), false);
  await clock.advance(1_000);
  const event = { ...customerCreated, id: `evt_${ids.next()}` };
  const delivery = newDelivery(storedEvent({ event, type: 'customer.created' }), read, clock.now());
  await context.deliveries.insert({ ...delivery, ...afterAttempt(delivery, made(200), []) });
  await others(read, made(200), false);
  await pass(121 * HOUR);
  await ours(await endpoint(), made(503), false);
  expect(await shown()).toMatchObject({
    ...{ status: 'enabled', disabled_reason: null },
    health: { status: 'failing', failing_since: iso(clock.now()), last_error: 'it answered 503' },
  });
  await pass(120 * HOUR);
  await ours(await endpoint(), made(503), false);
  expect((await shown()).status).toBe('disabled');
});

test('nothing fails while nothing is sent: 200 hours of silence disable nothing', async () => {
  await happens();
  await pass(30 * HOUR); // the schedule ends
  await pass(80 * HOUR);
  send = () => answer(200);
  await pass(200 * HOUR);
  await happens();
  expect(await shown()).toMatchObject({ status: 'enabled', health: { status: 'ok' } });
});

test('a 410 to the end disables it: that delivery has failed, and what else is pending is cancelled', async () => {
  send = () => answer(410);
  await happens();
  await pass(20 * HOUR);
  await happens();
  await pass(8 * HOUR);
  expect(await shown()).toMatchObject({ status: 'disabled', version: 2, disabled_reason: expect.stringContaining('410') });
  expect((await rows()).map(({ status, due_at }) => [status, due_at])).toEqual([
    ['failed', null],
    ['cancelled', null],
  ]);
});

test('a process that dies after it has disabled an endpoint leaves the rest to the next one', async () => {
  const made = await happens();
  await context.endpoints.claim({ _id: 'we_1' }, { set: { status: 'disabled', disabled_reason: 'x', revision: 2, cleared_at: null } });
  engine.abandon();
  open();
  await pass(10_000);
  expect(await context.deliveries.get(made._id)).toMatchObject({ status: 'cancelled', due_at: null });
  expect(Date.parse((await endpoint()).cleared_at ?? '')).toBeGreaterThan(0);
  expect(versionOf(await endpoint())).toBe(2);
});

test('an endpoint that is enabled while its deliveries are being cancelled keeps the rest, and gets what happens then', async () => {
  send = () => new Promise(() => undefined);
  const events = Array.from({ length: 300 }, () => ({ ...customerCreated, id: `evt_${ids.next()}` }));
  const stored = events.map((event) => storedEvent({ event, type: 'customer.created' }));
  await context.events.write(stored.map((insert) => ({ insert })));
  const one = await endpoint();
  await context.deliveries.write(stored.map((event) => ({ insert: { ...newDelivery(event, one, clock.now() + HOUR) } })));
  await context.endpoints.claim({ _id: 'we_1' }, { set: { status: 'disabled', disabled_reason: 'x', revision: 2, cleared_at: null } });
  worker.cancel('we_1');
  while ((await context.deliveries.count({ endpoint_id: 'we_1', status: 'cancelled' })) === 0) await settleTurns(1);
  await enableEndpoint(context, identity(), { id: 'we_1' });
  const fresh = await happens();
  await settleTurns(200);
  const statuses = new Set((await rows()).map(({ status }) => status));
  expect(statuses).toEqual(new Set(['cancelled', 'pending']));
  expect(await context.deliveries.get(fresh._id)).toMatchObject({ status: 'pending' });
  expect(sent).toHaveLength(1);
});

test('an attempt that began before the disabling and fails after it changes nothing', async () => {
  const answered = Promise.withResolvers<Answered>();
  send = () => answered.promise;
  await happens();
  await context.endpoints.claim({ _id: 'we_1' }, { set: { status: 'disabled', disabled_reason: 'by hand', cleared_at: null } });
  answered.resolve(answer(500));
  await settleTurns(50);
  expect(await shown()).toMatchObject({ disabled_reason: 'by hand', health: { status: 'ok' } });
});
