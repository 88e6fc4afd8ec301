import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocuments } from '@svc/documents';
import { Engine } from '@svc/embedded';
import { FakeClock, settleTurns } from '@svc/kernel';
import type { WebhooksContext } from '../context.ts';
import { endpointIndexes, type Endpoint } from '../endpoint/endpoint.ts';
import { eventIndexes, eventRow, type EventRow } from '../event/event.ts';
import type { Answered, Outgoing } from '../sending/send.ts';
import { newSecret } from '../sending/sign.ts';
import { deliveryIndexes, newDelivery, type Delivery } from './delivery.ts';
import { CONTRACT_DELAYS } from './schedule.ts';
import { createDeliveryWorker } from './worker.ts';

const silent = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
} as unknown as WebhooksContext['logger'];
const plain = { seal: (text: string) => text, open: (text: string) => Buffer.from(text) };

async function scene(answer: (n: number) => Answered, folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'))) {
  const engine = Engine.open(folder, { durable: false });
  const documents = embeddedDocuments(engine, 'svc_webhooks');
  const clock = new FakeClock();
  const sent: (Outgoing & { at: number })[] = [];
  const context: WebhooksContext = {
    endpoints: documents.collection<Endpoint>('webhook_endpoints', { indexes: endpointIndexes }),
    events: documents.collection<EventRow>('events', { indexes: eventIndexes }),
    deliveries: documents.collection<Delivery>('deliveries', { indexes: deliveryIndexes }),
    clock,
    logger: silent,
    ring: plain,
    resolve: async () => [],
    allowed: new Set(),
    delays: CONTRACT_DELAYS,
    publicUrl: '',
    lookEvery: 60_000,
  };
  const worker = createDeliveryWorker(context, async (request) => {
    sent.push({ ...request, at: clock.now() });
    return answer(sent.length);
  });
  const endpoint = {
    _id: 'we_1',
    version: 1,
    account: 'acct_1',
    env: 'test',
    url: 'https://shop.example/x',
    events: ['*'],
    status: 'enabled',
    secret: newSecret(),
    deleted: false,
    place: 'p',
  } as unknown as Endpoint;
  const event = eventRow(
    {
      specversion: '1.0',
      id: 'evt_01jqz5rk4e7000000000000000',
      source: 'invoicing',
      type: 'invoicing.customer-created.v1',
      subject: 'cust_1',
      time: '2026-01-15T12:00:00.000Z',
      datacontenttype: 'application/json',
      env: 'test',
      account: 'acct_1',
      sequence: 1,
      data: { id: 'cust_1' },
    },
    'customer.created',
  );
  await context.endpoints.insert(endpoint);
  await context.events.insert(event);
  const delivery = newDelivery(event, endpoint, clock.now());
  await context.deliveries.insert(delivery);
  const read = async (): Promise<Delivery> => (await context.deliveries.get(delivery._id)) as Delivery;
  return { clock, context, worker, sent, read, engine, folder, close: () => (engine.close(), rmSync(folder, { recursive: true })) };
}

test('the 26 hours of retries: six attempts at the contract’s delays, the same bytes each, then failed', async () => {
  const { clock, worker, sent, read, close } = await scene(() => ({ status: 500, body: 'no', retryAfter: undefined }));
  const began = clock.now();
  worker.start();
  await settleTurns();
  for (const delay of CONTRACT_DELAYS) {
    const before = sent.length;
    await clock.advance(delay - 1);
    expect(sent).toHaveLength(before); // never early
    await clock.advance(1);
    expect(sent).toHaveLength(before + 1);
  }
  await clock.advance(200_000);
  expect(sent.map(({ at }) => at - began)).toEqual([0, 60_000, 360_000, 2_160_000, 9_360_000, 95_760_000]);
  expect(new Set(sent.map(({ body }) => body.toString())).size).toBe(1);
  expect(await read()).toMatchObject({ status: 'failed', due_at: null, next_at: null, attempts: { length: 6 } });
  await worker.stop();
  close();
}, 60_000);

test('once it succeeds nothing more is sent', async () => {
  const { clock, worker, sent, read, close } = await scene((n) =>
    n < 3 ? { status: null, error: 'connection failed' } : { status: 204, body: '', retryAfter: undefined },
  );
  worker.start();
  await clock.advance(3_600_000);
  expect(sent).toHaveLength(3);
  expect((await read()).attempts.map(({ status_code }) => status_code)).toEqual([null, null, 204]);
  expect((await read()).status).toBe('succeeded');
  await worker.stop();
  close();
}, 60_000);

test('an attempt whose outcome was never recorded is made again when its claim runs out', async () => {
  const { clock, context, worker, sent, read, close } = await scene(() => ({ status: 200, body: '', retryAfter: undefined }));
  const [claimed] = await context.deliveries.claim({ due_at: { $lte: clock.now() } }, { set: { due_at: clock.now() + 60_000 } }); // a process that died with it in hand
  expect(claimed).toBeDefined();
  worker.start();
  await clock.advance(59_000);
  expect(sent).toHaveLength(0);
  await clock.advance(2_000);
  expect(sent).toHaveLength(1);
  expect((await read()).status).toBe('succeeded');
  await worker.stop();
  close();
}, 60_000);
