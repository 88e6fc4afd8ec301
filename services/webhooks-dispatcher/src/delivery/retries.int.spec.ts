import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { FakeClock, settleTurns } from '@svc/kernel';
import type { WebhooksContext } from './context.ts';
import { eraseCustomer } from './erase-customer.ts';
import { storedEvent } from '../event/event.ts';
import { NO_PHASES, type Answered, type Outgoing } from '../sending/send.ts';
import { newDelivery, type Delivery } from './delivery.ts';
import { busAt, customerCreated, rowsOn, shopEndpoint, silent } from './testing/rows.ts';
import { CONTRACT_DELAYS } from './schedule.ts';
import { createDeliveryWorker } from './worker.ts';

const plain = { encrypt: (text: string) => text, decrypt: (text: string) => Buffer.from(text) };

async function fixture(
  answer: (n: number, request: Outgoing, signal?: AbortSignal) => Answered | Promise<Answered>,
  folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-')),
  delays: WebhooksContext['delays'] = CONTRACT_DELAYS,
) {
  const engine = Engine.open(folder, { durable: false });
  const clock = new FakeClock();
  const sent: (Outgoing & { at: number })[] = [];
  const context: WebhooksContext = {
    ...rowsOn(engine),
    bus: busAt(0),
    clock,
    logger: silent,
    ring: plain,
    resolve: async () => [],
    allowed: new Set(),
    delays,
    publicUrl: '',
    lookEvery: 60_000,
  };
  const worker = createDeliveryWorker(context, async (request, signal) => {
    sent.push({ ...request, at: clock.now() });
    return answer(sent.length, request, signal);
  });
  const endpoint = shopEndpoint();
  const event = storedEvent({ event: customerCreated, type: 'customer.created' });
  await context.endpoints.insert(endpoint);
  await context.events.insert(event);
  const delivery = newDelivery(event, endpoint, clock.now());
  await context.deliveries.insert(delivery);
  const read = async (): Promise<Delivery> => (await context.deliveries.get(delivery._id)) as Delivery;
  return {
    clock,
    context,
    endpoint,
    event,
    worker,
    sent,
    read,
    engine,
    folder,
    close: () => (engine.close(), rmSync(folder, { recursive: true })),
  };
}

test('makes six attempts with the same bytes at the contract’s delays over 26 hours, then fails', async () => {
  const { clock, worker, sent, read, close } = await fixture(() => ({ status: 500, body: 'no', phases: NO_PHASES }));
  const began = clock.now();
  worker.start();
  await settleTurns();
  for (const delay of CONTRACT_DELAYS) {
    const before = sent.length;
    await clock.advance(delay - 1);
    expect(sent).toHaveLength(before); // Never early.
    await clock.advance(1);
    expect(sent).toHaveLength(before + 1);
  }
  await clock.advance(200_000);
  expect(sent.map(({ at }) => at - began)).toEqual([0, 60_000, 360_000, 2_160_000, 9_360_000, 95_760_000]);
  expect(new Set(sent.map(({ body }) => body.toString())).size).toBe(1);
  expect(await read()).toMatchObject({ status: 'failed', due_at: null, next_at: null, attempts: { length: 6 } });
  await worker.stop();
  close();
});

test('a retry that is due before the next look is not late, though its attempt ended after the last look', async () => {
  const slowly = async (): Promise<Answered> => {
    await clock.sleep(50);
    return { status: 500, body: '', phases: NO_PHASES };
  };
  const { clock, worker, sent, close } = await fixture(slowly, undefined, [300, 400]);
  const began = clock.now();
  worker.start();
  for (let ms = 0; ms < 1_000; ms += 10) await clock.advance(10);
  expect(sent.map(({ at }) => at - began)).toEqual([0, 350, 800]);
  await worker.stop();
  close();
});

test('sends nothing after a success', async () => {
  const { clock, worker, sent, read, close } = await fixture((n) =>
    n < 3 ? { status: null, error: 'connection failed', phases: NO_PHASES } : { status: 204, body: '', phases: NO_PHASES },
  );
  worker.start();
  await clock.advance(3_600_000);
  expect(sent).toHaveLength(3);
  expect((await read()).attempts.map(({ status_code }) => status_code)).toEqual([null, null, 204]);
  expect((await read()).status).toBe('succeeded');
  await worker.stop();
  close();
});

test('whose event is gone ends like one that is never answered, and says nothing of its endpoint', async () => {
  const { clock, context, event, endpoint, worker, sent, read, close } = await fixture(() => ({
    status: 200,
    body: '',
    phases: NO_PHASES,
  }));
  await context.events.write([{ delete: event._id }]);
  worker.start();
  await settleTurns();
  await clock.advance(100_000_000);
  expect(sent).toEqual([]);
  const { status, due_at, attempts } = await read();
  expect([status, due_at, attempts.length]).toEqual(['failed', null, 6]);
  expect(attempts.at(-1)).toMatchObject({ status_code: null, error: 'its event is not kept any more' });
  expect(await context.endpoints.get(endpoint._id)).toMatchObject({ version: endpoint.version });
  await expect(worker.redeliver(endpoint, (await read())._id)).rejects.toMatchObject({ code: 'invalid_state' });
  await worker.stop();
  close();
});

test('repeats an attempt without a recorded outcome when its claim ends', async () => {
  const { clock, context, worker, sent, read, close } = await fixture(() => ({ status: 200, body: '', phases: NO_PHASES }));
  const [claimed] = await context.deliveries.claim({ due_at: { $lte: clock.now() } }, { set: { due_at: clock.now() + 60_000 } }); // The claim of a process that died.
  expect(claimed).toBeDefined();
  worker.start();
  await clock.advance(59_000);
  expect(sent).toHaveLength(0);
  await clock.advance(2_000);
  expect(sent).toHaveLength(1);
  expect((await read()).status).toBe('succeeded');
  await worker.stop();
  close();
});

test('sends nothing of a customer while it is being erased, whose reply could repeat it after the replies were erased', async () => {
  const { clock, context, event, worker, sent, read, close } = await fixture((_, { body }) => ({
    ...{ status: 500, phases: NO_PHASES },
    body: body.toString(),
  }));
  const named = JSON.stringify({ ...JSON.parse(event.body), data: { id: 'cust_1', name: 'Ophelia Kent' } });
  await context.events.claim({}, { set: { body: named } });
  const blanked = Promise.withResolvers<void>();
  const { events } = context;
  const claim: typeof events.claim = async (...asked) => (await blanked.promise, events.claim(...asked));
  context.events = new Proxy(events, { get: (all, name) => (name === 'claim' ? claim : Reflect.get(all, name).bind(all)) });
  const erasing = eraseCustomer(context, customerCreated);
  await settleTurns();
  worker.start();
  await clock.advance(10_000);
  expect([sent.length, (await read()).attempts]).toEqual([0, []]);
  blanked.resolve();
  await erasing;
  await clock.advance(60_000);
  expect(sent.map((one) => JSON.parse(one.body.toString()).data.name)).toEqual([null]);
  expect(JSON.stringify(await read())).not.toContain('Ophelia');
  await worker.stop();
  close();
});

const OK: Answered = { status: 204, body: '', phases: NO_PHASES };

test('leaves rows unwritten for which an endpoint has no capacity, without delaying other endpoints', async () => {
  const released = Promise.withResolvers<Answered>();
  const { clock, context, endpoint, event, worker, sent, close } = await fixture((_, { url }) =>
    url.endsWith('/fast') ? OK : released.promise,
  );
  const began = clock.now();
  const more = Array.from({ length: 500 }, (_, n) => ({ ...newDelivery(event, endpoint, began), _id: `whd_${n}` }));
  await context.deliveries.write(more.map((insert) => ({ insert })));
  const fast = { ...endpoint, _id: 'we_2', place: 'q', url: 'https://shop.example/fast' };
  await context.endpoints.insert(fast);
  await context.deliveries.insert({ ...newDelivery(event, fast, began), due_at: began + 1, next_at: began + 1 });
  worker.start();
  await clock.advance(1);
  expect([sent.length, sent.at(-1)?.url]).toEqual([65, fast.url]);
  await clock.advance(29_000);
  const waiting = await Array.fromAsync(context.deliveries.find({ endpoint_id: endpoint._id }));
  expect(waiting.filter(({ version }) => version === 1)).toHaveLength(501 - 64 - 128);
  expect(new Set(waiting.map(({ next_at, attempts }) => `${next_at} ${attempts.length}`))).toEqual(new Set([`${began} 0`]));
  released.resolve(OK);
  await clock.advance(100);
  expect(await context.deliveries.count({ endpoint_id: endpoint._id, status: 'succeeded' })).toBe(501);
  expect(sent).toHaveLength(502);
  await worker.stop();
  close();
});

test('cancels unanswered attempts 12 s after stop without counting them; the next process sends them and the waiting ones at once', async () => {
  const { clock, context, endpoint, event, worker, sent, read, close } = await fixture(
    (_, __, signal) =>
      new Promise((resolve) =>
        signal?.addEventListener('abort', () => resolve({ status: null, error: 'broken off', phases: NO_PHASES }), { once: true }),
      ),
  );
  const more = Array.from({ length: 70 }, (_, n) => ({ ...newDelivery(event, endpoint, clock.now()), _id: `whd_${n}` }));
  await context.deliveries.write(more.map((insert) => ({ insert })));
  worker.start();
  await clock.advance(5_000);
  expect(sent).toHaveLength(64);
  let stopped = false;
  const stopping = worker.stop().then(() => (stopped = true));
  await clock.advance(11_999);
  expect(stopped).toBe(false);
  await clock.advance(1);
  await stopping;
  expect(await read()).toMatchObject({ status: 'pending', attempts: [] });
  const next = createDeliveryWorker(context, async () => OK);
  next.start();
  await clock.advance(1_000);
  expect(await read()).toMatchObject({ status: 'succeeded', attempts: [{ n: 1, status_code: 204 }] });
  expect(await context.deliveries.count({ status: 'succeeded' })).toBe(71);
  await next.stop();
  close();
});

test('retries after a redirect', async () => {
  const { clock, worker, sent, read, close } = await fixture((n) => ({ status: n === 1 ? 302 : 200, body: '', phases: NO_PHASES }));
  worker.start();
  await clock.advance(0);
  expect(await read()).toMatchObject({ status: 'pending', next_at: clock.now() + 60_000, attempts: [{ status_code: 302 }] });
  await clock.advance(60_000);
  expect([sent.length, (await read()).status]).toEqual([2, 'succeeded']);
  await worker.stop();
  close();
});

test.each([{ deleted: true }, { status: 'disabled' }] as const)(
  'cancels a delivery to an endpoint that is %o without sending',
  async (gone) => {
    const { clock, context, endpoint, worker, sent, read, close } = await fixture(() => OK);
    await context.endpoints.claim({ _id: endpoint._id }, { set: gone });
    worker.start();
    await clock.advance(200_000);
    expect(sent).toHaveLength(0);
    expect(await read()).toMatchObject({ status: 'cancelled', due_at: null, attempts: [] });
    await worker.stop();
    close();
  },
);

test('sends once from two workers: a claim is renewed before sending, and an ended claim belongs to the other worker', async () => {
  const slow: Answered = { status: 500, body: '', phases: NO_PHASES };
  const { clock, context, endpoint, event, worker, sent, close } = await fixture(async () => (await clock.sleep(29_000), slow));
  const more = Array.from({ length: 70 }, (_, n) => ({ ...newDelivery(event, endpoint, clock.now()), _id: `whd_${n}` }));
  await context.deliveries.write(more.map((insert) => ({ insert })));
  worker.start(); // 64 in flight until 29 s, then one at a time: the second starts at 58 s, when its claim has 2 s left.
  await clock.advance(59_000);
  expect(sent).toHaveLength(66);
  let others = 0;
  const other = createDeliveryWorker({ ...context, holder: 'other' }, async () => ((others += 1), await clock.sleep(29_000), OK));
  other.start();
  await clock.advance(2_000);
  expect(others).toBe(1); // Of the 5 whose claims ended at 60 s: the endpoint fails by what the first worker has stored.
  await clock.advance(27_000); // One of the 5 was next in the first worker.
  expect([sent.length, others]).toEqual([66, 1]);
  await clock.advance(5_000_000);
  const ended = await Array.fromAsync(context.deliveries.find({ endpoint_id: endpoint._id }, { limit: 500 }));
  const made = ended.reduce((sum, { attempts }) => sum + attempts.length, 0);
  expect(made).toBe(sent.length + others); // Each attempt that was sent is recorded once.
  await Promise.all([worker.stop(), other.stop()]);
  close();
});

test('sends the event’s trace to the subscriber', async () => {
  const { clock, context, endpoint, event, worker, sent, close } = await fixture(() => OK);
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const traced = { ...event, _id: 'evt_01jqz5rk4e7000000000000001', traceparent };
  await context.events.insert(traced);
  await context.deliveries.insert(newDelivery(traced, endpoint, clock.now() + 1));
  worker.start();
  await clock.advance(1);
  expect(sent.map(({ headers }) => headers['traceparent'])).toEqual([undefined, traceparent]);
  await worker.stop();
  close();
});
