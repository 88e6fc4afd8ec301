import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { createIds, FakeClock, settleTurns } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import type { FastifyRequest } from 'fastify';
import type { WebhooksContext } from './context.ts';
import { EndpointsController } from '../endpoint/http.ts';
import { storedEvent } from '../event/event.ts';
import { newDelivery, type Deliveries } from './delivery.ts';
import { busAt, customerCreated, rowsOn, shopEndpoint, silent } from './testing/rows.ts';
import { CONTRACT_DELAYS } from './schedule.ts';
import { createDeliveryWorker, type DeliveryWorker } from './worker.ts';
import { NO_PHASES } from '../sending/send.ts';

const BACKLOG = 1_000;
const HOUR = 3_600_000;

let folder: string;
let engine: Engine;
let context: WebhooksContext;
let clock: FakeClock;
let workers: DeliveryWorker[];
let sent: { account: string; left: number }[];
/** The number of rows that each update changed. */
let claimed: number[];

const event = storedEvent({ event: customerCreated, type: 'customer.created' });
const gone = shopEndpoint();
const victim = { ...gone, _id: 'we_2', account: 'acct_2', url: 'https://quick.example/x', place: 'q' };
const left = (): Promise<number> => context.deliveries.count({ endpoint_id: gone._id, status: 'pending' });

/** A worker as another process on the same database has. */
function newWorker(answer: () => Promise<number> = async () => 204): DeliveryWorker {
  const worker = createDeliveryWorker(context, async ({ account }) => {
    sent.push({ account, left: await left() });
    return { status: await answer(), body: '', phases: NO_PHASES };
  });
  workers.push(worker);
  return worker;
}

function remove(worker: DeliveryWorker) {
  const { account, env } = gone;
  const identity = { account, env, commandId: createIds(clock).next(), requestId: 'req_1', actor: { type: 'api_key', id: 'key_1' } };
  const request = { identity, params: { id: gone._id }, ifMatch: undefined } as unknown as FastifyRequest<{ Params: { id: string } }>;
  return new EndpointsController(context, worker).delete(request);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-cancel-'));
  engine = Engine.open(folder, { durable: false });
  clock = new FakeClock();
  [workers, sent, claimed] = [[], [], []];
  const rows = rowsOn(engine);
  const deliveries: Deliveries = {
    ...rows.deliveries,
    async claim(...args) {
      const changed = await rows.deliveries.claim(...args);
      claimed.push(changed.length);
      return changed;
    },
  };
  context = {
    ...{ ...rows, deliveries, bus: busAt(0), clock, logger: silent, publicUrl: '', lookEvery: 1_000, delays: CONTRACT_DELAYS },
    ring: { encrypt: (text) => text, decrypt: (text) => Buffer.from(text) },
    resolve: async () => [],
    allowed: new Set(),
  };
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  engine.close();
  rmSync(folder, { recursive: true });
});

/** `due`: milliseconds from now. */
async function backlog(due: number): Promise<void> {
  await context.endpoints.write([gone, victim].map((insert) => ({ insert })));
  await context.events.insert(event);
  const rows = Array.from({ length: BACKLOG }, (_, n) => ({ ...newDelivery(event, gone, clock.now() + due), _id: `whd_${n}` }));
  await context.deliveries.write(rows.map((insert) => ({ insert })));
}

test('cancels a bounded number of rows per turn after DELETE, while another account is served', async () => {
  await backlog(HOUR);
  const worker = newWorker();
  worker.start();
  await settleTurns();
  expect(await remove(worker)).toMatchObject({ id: gone._id, deleted_at: expect.any(String) });
  await context.deliveries.insert({ ...newDelivery(event, victim, clock.now()), _id: 'whd_victim' });
  worker.wake();
  await until(async () => (await left()) === 0 && sent.length === 1);
  expect(sent).toEqual([{ account: 'acct_2', left: expect.any(Number) }]);
  expect(sent[0]?.left).toBeGreaterThan(0);
  expect(Math.max(...claimed)).toBeLessThanOrEqual(100);
  expect(await context.deliveries.count({ endpoint_id: gone._id, status: 'cancelled' })).toBe(BACKLOG);
});

test.each([
  ['not due yet', HOUR],
  ['due', -HOUR],
])('leaves the rest of a cancellation (%s) to the next process when one stops, and sends nothing', async (_when, due) => {
  await backlog(due);
  const first = newWorker();
  await remove(first);
  await until(async () => (await left()) < BACKLOG);
  await first.stop();
  expect(await left()).toBeGreaterThan(0);
  newWorker().start();
  await until(async () => (await left()) === 0);
  expect(sent).toEqual([]);
});

test('cancels deliveries that were written meanwhile when a deletion is repeated', async () => {
  await backlog(HOUR);
  const worker = newWorker();
  await remove(worker);
  await until(async () => (await left()) === 0);
  await context.deliveries.insert({ ...newDelivery(event, gone, clock.now() + HOUR), _id: 'whd_late' });
  worker.cancel(gone._id);
  await until(async () => (await left()) === 0);
  expect(await context.deliveries.get('whd_late')).toMatchObject({ status: 'cancelled', due_at: null });
});

test.each([
  [204, 'succeeded'],
  [500, 'cancelled'],
])('records an attempt that was under way when its endpoint was deleted: with an answer of %d it is %s', async (status, ended) => {
  await context.endpoints.insert(gone);
  await context.events.insert(event);
  const { promise: answered, resolve: answer } = Promise.withResolvers<number>();
  const worker = newWorker(() => answered);
  worker.start();
  await context.deliveries.insert({ ...newDelivery(event, gone, clock.now()), _id: 'whd_sent' });
  await context.deliveries.insert({ ...newDelivery(event, gone, clock.now() + HOUR), _id: 'whd_later' });
  worker.wake();
  await until(() => sent.length === 1);
  await remove(worker);
  await until(async () => (await clock.advance(1_000), (await left()) === 1));
  expect(await context.deliveries.get('whd_sent')).toMatchObject({ status: 'pending', attempts: [] });

  answer(status);
  await until(async () => (await clock.advance(1_000), (await left()) === 0));
  expect(await context.deliveries.get('whd_sent')).toMatchObject({ status: ended, attempts: [{ n: 1, status_code: status }] });
  expect(await context.deliveries.get('whd_later')).toMatchObject({ status: 'cancelled', attempts: [] });
});

test('limits a cancelling write by bytes when rows hold long responses', async () => {
  await backlog(HOUR);
  const answer = { n: 1, at: '', duration_ms: 1, trigger: 'schedule', status_code: 500, error: null } as const;
  const attempts = Array.from({ length: 5 }, () => ({ ...answer, response_body: '\u0001'.repeat(1_024) }));
  await context.deliveries.claim({ endpoint_id: gone._id }, { set: { attempts } });
  claimed = [];
  const worker = newWorker();
  await remove(worker);
  await until(async () => (await left()) === 0);
  expect(Math.max(...claimed) * JSON.stringify(attempts).length).toBeLessThan(300_000);
});

test('completes a deletion once, whichever release or process began it, and repeats the same answer', async () => {
  await backlog(HOUR);
  const controller = new EndpointsController(context, newWorker());
  const { account, env } = gone;
  const identity = { account, env, commandId: createIds(clock).next(), requestId: 'req_1', actor: { type: 'api_key', id: 'key_1' } };
  const request = { identity, params: { id: gone._id }, ifMatch: undefined } as unknown as FastifyRequest<{ Params: { id: string } }>;
  const answer = await controller.delete(request);
  const isCleared = async (id: string): Promise<boolean> => typeof (await context.endpoints.get(id))?.cleared_at === 'string';
  await until(() => isCleared(gone._id));
  expect(await controller.delete(request)).toEqual(answer);

  const byEarlierRelease = { ...victim, deleted: true, deleted_at: '2026-01-16T12:00:00.000Z', version: 2 };
  await context.endpoints.write([{ put: byEarlierRelease }]);
  await context.deliveries.insert({ ...newDelivery(event, victim, clock.now() + HOUR), _id: 'whd_before' });
  newWorker().start();
  await until(() => isCleared(victim._id));
  expect(await context.deliveries.get('whd_before')).toMatchObject({ status: 'cancelled', due_at: null });
});
