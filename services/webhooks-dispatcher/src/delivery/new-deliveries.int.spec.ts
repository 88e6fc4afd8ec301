import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { Engine } from '@svc/embedded';
import { FakeClock, settleTurns } from '@svc/kernel';
import type { WebhooksContext } from './context.ts';
import { NO_PHASES, type Answered } from '../sending/send.ts';
import { CLAIM_MS, type Delivery } from './delivery.ts';
import { FanOut } from './fan-out.ts';
import { busAt, customerCreated, rowsOn, shopEndpoint, silent } from './testing/rows.ts';
import { createDeliveryWorker } from './worker.ts';

const OK: Answered = { status: 204, body: '', phases: NO_PHASES };
const plain = { encrypt: (text: string) => text, decrypt: (text: string) => Buffer.from(text) };
const eventOf = (n: number): PublicEvent => ({ ...customerCreated, id: `evt_01jqz5rk4e7${String(n).padStart(15, '0')}` });

let folder: string;
let clock: FakeClock;
let engine: Engine;
const open = (): Engine => (engine = Engine.open(folder, { durable: false }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
  clock = new FakeClock();
  open();
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

/** A process on the folder, of which `sent` are the events that it sends. */
function start(answer: () => Promise<Answered>, parts: Partial<WebhooksContext> = {}) {
  const context: WebhooksContext = {
    ...rowsOn(engine),
    ...{ bus: busAt(0) as WebhooksContext['bus'], clock, logger: silent, ring: plain, publicUrl: '', delays: [60_000], lookEvery: 1_000 },
    ...{ resolve: async () => [], allowed: new Set<string>() },
    ...parts,
  };
  const sent: string[] = [];
  const worker = createDeliveryWorker(context, async ({ headers }) => {
    sent.push(headers['webhook-id'] as string);
    return answer();
  });
  worker.start();
  const fanOut = new FanOut(context, worker);
  return {
    ...{ worker, sent, context },
    handle: (...events: PublicEvent[]) => fanOut.on(events, { topic: topics.customer, positions: events.map(() => undefined) }),
    rows: (): Promise<Delivery[]> => Array.fromAsync(context.deliveries.find({}, { sort: { _id: 1 } })),
  };
}

test('is stored as claimed by its process, sent at once, and written once more with its outcome', async () => {
  const answered = Promise.withResolvers<Answered>();
  const { context, handle, rows, sent, worker } = start(() => answered.promise);
  await context.endpoints.insert(shopEndpoint());
  await handle(customerCreated);
  await settleTurns();
  expect(sent).toEqual([customerCreated.id]);
  const now = clock.now();
  expect(await rows()).toMatchObject([{ version: 1, status: 'pending', due_at: now + CLAIM_MS, next_at: now }]);
  answered.resolve(OK);
  await settleTurns();
  expect(await rows()).toMatchObject([{ version: 2, status: 'succeeded', due_at: null, next_at: null, attempts: [{ n: 1 }] }]);
  await worker.stop();
});

test.each([
  ['at the end of the claim', 'another', CLAIM_MS],
  ['at once where its process starts again under its name', 'test', 1],
])('comes again %s when its process is killed before the outcome, also when the bus repeats the event', async (_when, holder, ms) => {
  const first = start(() => new Promise(() => undefined));
  await first.context.endpoints.insert(shopEndpoint());
  await first.handle(customerCreated);
  await settleTurns();
  expect(first.sent).toHaveLength(1);
  engine.abandon();
  open();
  const second = start(async () => OK, { holder });
  await second.handle(customerCreated);
  if (ms > 1) await clock.advance(ms - 1);
  if (ms > 1) expect(second.sent).toEqual([]);
  await clock.advance(1);
  expect(second.sent).toEqual([customerCreated.id]);
  expect(await second.rows()).toMatchObject([{ status: 'succeeded', attempts: [{ n: 1 }] }]);
  await second.worker.stop();
});

test('is not sent when its event cannot be stored; the repeated batch sends it', async () => {
  const { events } = rowsOn(engine);
  let fails = true;
  const failing: typeof events = { ...events, write: (ops) => (fails ? Promise.reject(new Error('full')) : events.write(ops)) };
  const { context, handle, sent, worker } = start(async () => OK, { events: failing });
  await context.endpoints.insert(shopEndpoint());
  await expect(handle(customerCreated)).rejects.toThrow('full');
  await settleTurns();
  expect(sent).toEqual([]);
  fails = false;
  await handle(customerCreated);
  await settleTurns();
  expect(sent).toEqual([customerCreated.id]);
  await worker.stop();
});

describe.each<[string, Partial<WebhooksContext>]>([
  ['on its own engine', {}],
  ['on a server', { unitOfWork: (steps) => steps.reduce(async (before, step) => (await before, void (await step())), Promise.resolve()) }],
])('%s', (_, parts) => {
  test.each(['events', 'deliveries'] as const)('is not sent before its %s are stored', async (collection) => {
    const rows = rowsOn(engine);
    const stored = Promise.withResolvers<void>();
    const write = async (ops: never[]): Promise<Set<string>> => (await stored.promise, rows[collection].write(ops));
    const { context, handle, sent, worker } = start(async () => OK, { ...parts, [collection]: { ...rows[collection], write } });
    await context.endpoints.insert(shopEndpoint());
    const handled = handle(customerCreated);
    await settleTurns();
    expect(sent).toEqual([]);
    stored.resolve();
    await handled;
    await settleTurns();
    expect(sent).toEqual([customerCreated.id]);
    await worker.stop();
  });
});

test('is sent at once where a server has stored it without an answer', async () => {
  const { deliveries } = rowsOn(engine);
  const unsure: typeof deliveries = { ...deliveries, write: async (ops) => (await deliveries.write(ops), new Set()) };
  const { context, handle, sent, worker } = start(async () => OK, { deliveries: unsure });
  await context.endpoints.insert(shopEndpoint());
  await handle(customerCreated);
  await settleTurns();
  expect(sent).toEqual([customerCreated.id]);
  await worker.stop();
});

test('is due and unclaimed where its endpoint has no capacity, and sent when it has', async () => {
  const answered = Promise.withResolvers<Answered>();
  const { context, handle, rows, sent, worker } = start(() => answered.promise);
  await context.endpoints.insert(shopEndpoint());
  const events = Array.from({ length: 700 }, (_, n) => eventOf(n));
  await handle(...events);
  await settleTurns();
  expect(sent).toHaveLength(64);
  const now = clock.now();
  expect((await rows()).filter(({ due_at }) => due_at === now)).toHaveLength(700 - 512);
  answered.resolve(OK);
  await clock.advance(1_000);
  expect(sent.toSorted()).toEqual(events.map(({ id }) => id));
  expect(await context.deliveries.count({ due_at: null })).toBe(700);
  await worker.stop();
});

test('counts as lag while it waits for a permit, claimed by its process', async () => {
  const answered = Promise.withResolvers<Answered>();
  const { context, handle, worker } = start(() => answered.promise);
  await context.endpoints.insert(shopEndpoint());
  await handle(...Array.from({ length: 64 }, (_, n) => eventOf(n)));
  await clock.advance(3_000);
  expect(worker.lag()).toBe(0);
  await handle(eventOf(64));
  await clock.advance(3_000);
  expect(worker.lag()).toBe(3);
  answered.resolve(OK);
  await settleTurns();
  expect(worker.lag()).toBe(0);
  await worker.stop();
});

test('is due at once for the next process when its own stops while it is stored', async () => {
  const { events } = rowsOn(engine);
  const stored = Promise.withResolvers<void>();
  const slow: typeof events = { ...events, write: async (ops) => (await stored.promise, events.write(ops)) };
  const { context, handle, rows, sent, worker } = start(() => new Promise(() => undefined), { events: slow });
  await context.endpoints.insert(shopEndpoint());
  const handled = handle(...Array.from({ length: 65 }, (_, n) => eventOf(n)));
  await settleTurns();
  const stops = worker.stop();
  stored.resolve();
  await handled;
  await clock.advance(1);
  expect(sent).toHaveLength(64);
  expect((await rows()).filter(({ due_at }) => (due_at ?? 0) <= clock.now())).toMatchObject([{ status: 'pending', attempts: [] }]);
  void stops;
});

test('of two processes that handle one batch as new, one sends it', async () => {
  const ok = async (): Promise<Answered> => OK;
  const [one, other] = [start(ok), start(ok, { clock: Object.assign(Object.create(clock) as FakeClock, { now: () => clock.now() + 1 }) })];
  await one.context.endpoints.insert(shopEndpoint());
  const events = Array.from({ length: 20 }, (_, n) => eventOf(n));
  await Promise.all([one.handle(...events), other.handle(...events)]);
  await settleTurns();
  await clock.advance(CLAIM_MS + 10_000);
  expect([...one.sent, ...other.sent].toSorted()).toEqual(events.map(({ id }) => id));
  expect((await one.rows()).map(({ status }) => status)).toEqual(events.map(() => 'succeeded'));
  await Promise.all([one.worker.stop(), other.worker.stop()]);
});
