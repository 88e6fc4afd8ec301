import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Collection, Doc } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { createIds, FakeClock, prefixed, settleTurns } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import type { WebhooksContext } from './context.ts';
import { storedEvent } from '../event/event.ts';
import { createCancelling } from './cancel.ts';
import { newDelivery } from './delivery.ts';
import { busAt, customerCreated, rowsOn, shopEndpoint, silent } from './testing/rows.ts';
import { CONTRACT_DELAYS } from './schedule.ts';
import { createSweep } from './sweep.ts';
import { createDeliveryWorker } from './worker.ts';
import { NO_PHASES } from '../sending/send.ts';

const HOUR = 3_600_000;
const event = storedEvent({ event: customerCreated, type: 'customer.created' });

interface Pending {
  endpoints: number;
  /** Rows of each endpoint. */
  each: number;
  /** When they are due, in milliseconds from now. */
  due: number;
}

/** Reads of a collection. */
interface Reads {
  calls: number;
  docs: number;
}

/** The collection with its reads counted; documents that `claim` returns count too. */
function counting<D extends Doc>(rows: Collection<D>, reads: Reads): Collection<D> {
  return {
    ...rows,
    async *find(...asked) {
      reads.calls += 1;
      for await (const doc of rows.find(...asked)) {
        reads.docs += 1;
        yield doc;
      }
    },
    async page(...asked) {
      const page = await rows.page(...asked);
      reads.calls += 1;
      reads.docs += page.docs.length;
      return page;
    },
    async claim(...asked) {
      const docs = await rows.claim(...asked);
      reads.docs += docs.length;
      return docs;
    },
  };
}

const none = (): Reads => ({ calls: 0, docs: 0 });

/** Pending rows of endpoints, one account each, with the reads of deliveries and endpoints counted. */
async function fixture({ endpoints, each, due }: Pending) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sweep-'));
  const engine = Engine.open(folder, { durable: false });
  const clock = new FakeClock();
  const ids = createIds(clock);
  const rows = rowsOn(engine);
  const read = { deliveries: none(), endpoints: none() };
  const context: WebhooksContext = {
    ...{ ...rows, bus: busAt(0), clock, logger: silent, publicUrl: '', lookEvery: 60_000, delays: CONTRACT_DELAYS },
    deliveries: counting(rows.deliveries, read.deliveries),
    endpoints: counting(rows.endpoints, read.endpoints),
    ring: { encrypt: (text) => text, decrypt: (text) => Buffer.from(text) },
    resolve: async () => [],
    allowed: new Set(),
  };
  await rows.events.insert(event);
  for (let n = 0; n < endpoints; n += 1) {
    const endpoint = { ...shopEndpoint(), _id: idOf(n), account: `acct_${n}`, place: `p${n}` };
    await rows.endpoints.insert(endpoint);
    const delivery = { ...newDelivery(event, endpoint, clock.now() + due), account: endpoint.account };
    await rows.deliveries.write(Array.from({ length: each }, () => ({ insert: { ...delivery, _id: prefixed('whd', ids.next()) } })));
  }
  const worker = createDeliveryWorker(context, async () => ({ status: 204, body: '', phases: NO_PHASES }));
  return {
    ...{ clock, rows, context, worker, read },
    async close() {
      await worker.stop();
      engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const idOf = (n: number): string => `we_${String(n).padStart(4, '0')}`;
const remove = ({ endpoints }: WebhooksContext, _id: string) =>
  endpoints.claim({ _id }, { set: { deleted: true, deleted_at: '2026-01-16T12:00:00.000Z', place: `gone-${_id}` } });

/** A sweep without the rest of the worker; `met` collects the endpoints of which it claims rows. */
function sweepOf(context: WebhooksContext, onRefill: (endpoint: string) => Promise<void> = async () => undefined) {
  const met = new Set<string>();
  const cancelling = createCancelling(context);
  const { sweep, oldest } = createSweep(context, {
    take: async (due) => due.forEach(({ endpoint_id }) => met.add(endpoint_id)),
    refill(_account, endpoint) {
      met.add(endpoint);
      return onRefill(endpoint);
    },
    queues: { note: () => false },
    cancelling,
  });
  return { met, oldest, cancelling, sweep: () => sweep(new AbortController().signal) };
}

test('reads no row of 2,000 endpoints that wait for their next attempt, and none of fully cancelled endpoints', async () => {
  const { context, rows, read, close } = await fixture({ endpoints: 2_000, each: 1, due: HOUR });
  for (let n = 0; n < 20; n += 1) await remove(context, idOf(n));
  const { sweep, cancelling } = sweepOf(context);
  await sweep();
  await until(() => !cancelling.has(idOf(19)));
  expect(await rows.deliveries.count({ status: 'pending' })).toBe(1_980);
  Object.assign(read.deliveries, none());
  Object.assign(read.endpoints, none());
  for (let n = 0; n < 10; n += 1) await sweep();
  expect(read).toEqual({ deliveries: { calls: 10, docs: 0 }, endpoints: { calls: 20, docs: 0 } });
  await close();
});

test('reads one row at a time to learn when the next one falls due', async () => {
  const { clock, worker, read, close } = await fixture({ endpoints: 300, each: 10, due: HOUR });
  worker.start();
  for (let n = 0; n < 5; n += 1) await clock.advance(60_000, () => settleTurns(300));
  expect(read.deliveries.docs).toBeGreaterThan(0);
  expect(read.deliveries.docs).toBeLessThanOrEqual(10);
  await close();
});

test('reads one row of each other endpoint beside a backlog, and finds rows that looks missed', async () => {
  const { context, rows, read, close } = await fixture({ endpoints: 100, each: 60, due: HOUR });
  const { clock } = context;
  const dueFor = (endpoint: string, _id: string, due: number) => ({
    ...newDelivery(event, shopEndpoint(), clock.now() - due),
    ...{ endpoint_id: endpoint, _id },
  });
  const backlog = Array.from({ length: 200 }, (_, n) => dueFor(idOf(3), `due_${n}`, HOUR));
  await rows.deliveries.write([...backlog, dueFor(idOf(99), 'missed', 60_000)].map((insert) => ({ insert })));
  const { sweep, met, oldest } = sweepOf(context);
  await sweep();
  expect([[...met], oldest()]).toEqual([[idOf(3), idOf(99)], clock.now() - HOUR]);
  expect(read.deliveries.docs).toBeLessThanOrEqual(50 + 100);
  await close();
});

/** A backlog of the first endpoint hides missed rows of the last one, among 1,200 endpoints that wait for their next attempt. */
async function hiddenByBacklog() {
  const system = await fixture({ endpoints: 1_200, each: 1, due: HOUR });
  const { rows, clock } = system;
  const dueFor = (endpoint: string, _id: string) => ({
    ...newDelivery(event, shopEndpoint(), clock.now() - 60_000),
    ...{ endpoint_id: endpoint, _id },
  });
  const backlog = Array.from({ length: 60 }, (_, n) => dueFor(idOf(0), `due_${n}`));
  await rows.deliveries.write([...backlog, dueFor(idOf(1_199), 'missed')].map((insert) => ({ insert })));
  return system;
}

test('looks at every endpoint in one sweep, however many wait for their next attempt beside a backlog', async () => {
  const { context, close } = await hiddenByBacklog();
  const { sweep, met, oldest } = sweepOf(context);
  await sweep();
  expect([[...met], oldest()]).toEqual([[idOf(0), idOf(1_199)], context.clock.now() - 60_000]);
  await close();
});

test('stops walking over endpoints when the backlog has gone', async () => {
  const { context, rows, read, close } = await hiddenByBacklog();
  const { sweep, met } = sweepOf(context, async (endpoint) => {
    if (endpoint === idOf(0)) await rows.deliveries.claim({ endpoint_id: endpoint }, { set: { status: 'succeeded', due_at: null } });
  });
  await sweep();
  await sweep();
  expect([...met]).toEqual([idOf(0), idOf(1_199)]);
  expect(read.deliveries.docs).toBeLessThan(50 + 500 + 10);
  await close();
});

test('spends at most a tenth of the time walking over endpoints while a backlog lasts', async () => {
  const { context, clock, rows, close } = await fixture({ endpoints: 40, each: 2, due: -HOUR });
  const slow: WebhooksContext['deliveries'] = {
    ...context.deliveries,
    async *find(...asked) {
      await clock.advance(100, () => settleTurns(1));
      yield* rows.deliveries.find(...asked);
    },
  };
  const { sweep, met } = sweepOf({ ...context, deliveries: slow });
  const began = clock.now();
  await sweep();
  expect(met.size).toBe(40);
  const took = clock.now() - began;
  met.clear();
  await clock.advance(took * 9 - 1);
  await sweep();
  expect(met.size).toBe(0);
  await clock.advance(1);
  await sweep();
  expect(met.size).toBe(40);
  await close();
});

test('sends deliveries that fell due long before the start, to every endpoint', async () => {
  const { clock, rows, worker, close } = await fixture({ endpoints: 30, each: 150, due: -HOUR });
  worker.start();
  for (let n = 0; n < 100 && (await rows.deliveries.count({ status: 'pending' })) > 0; n += 1) await clock.advance(1_000);
  expect(await rows.deliveries.count({ status: 'succeeded' })).toBe(30 * 150);
  await close();
});
