import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreateWebhook } from '@svc/contracts';
import { embeddedDocuments } from '@svc/documents';
import { Engine } from '@svc/embedded';
import { createIds, FakeClock } from '@svc/kernel';
import { parseKeyRing, type Identity } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import type { WebhooksContext } from '../context.ts';
import { deliveryIndexes, type Delivery } from '../delivery/delivery.ts';
import { eventIndexes, type EventRow } from '../event/event.ts';
import { createEndpoint } from './create.ts';
import { endpointIndexes, type Endpoint } from './endpoint.ts';
import { EndpointsController } from './http.ts';

let folder: string;
let engine: Engine;
let context: WebhooksContext;
const clock = new FakeClock();
const ids = createIds(clock);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-endpoints-'));
  engine = Engine.open(folder, { durable: false });
  const documents = embeddedDocuments(engine, 'svc_webhooks');
  context = {
    endpoints: documents.collection<Endpoint>('webhook_endpoints', { indexes: endpointIndexes }),
    events: documents.collection<EventRow>('events', { indexes: eventIndexes }),
    deliveries: documents.collection<Delivery>('deliveries', { indexes: deliveryIndexes }),
    clock,
    logger: { error: () => undefined } as unknown as WebhooksContext['logger'],
    ring: parseKeyRing(`v1:${Buffer.alloc(32, 7).toString('base64')}`),
    resolve: async (host) => (host === 'inside.example' ? ['10.0.0.8'] : ['93.184.216.34']),
    allowed: new Set(),
    delays: [],
    publicUrl: '',
    lookEvery: 60_000,
  };
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const identity = (more: Partial<Identity> = {}): Identity => ({
  account: 'acct_1',
  env: 'test',
  livemode: false,
  permissions: [],
  actor: { type: 'api_key', id: 'key_1' },
  requestId: 'req_1',
  commandId: ids.next(),
  ...more,
});
const wanted = { url: 'https://shop.example/hook', events: ['*'], description: 'x' } as unknown as CreateWebhook;
const create = (who = identity(), what = wanted) => createEndpoint(context, who, what);
const open = (more = {}) => context.endpoints.count({ account: 'acct_1', env: 'test', deleted: false, ...more });
const refused = { code: 'validation_error', message: expect.any(String) };

test('30 creations at once take exactly the 20 places', async () => {
  const ended = await Promise.allSettled(Array.from({ length: 30 }, () => create()));
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  for (const one of ended) if (one.status === 'rejected') expect(one.reason).toMatchObject(refused);
  expect(await open()).toBe(20);
  expect((await create(identity({ env: 'live' }))).endpoint.env).toBe('live'); // places of its own
});

test('a repeated command answers the same endpoint and secret, one after the other or at once', async () => {
  const who = identity();
  const all = await Promise.all([create(who), create(who), create(who)]);
  all.push(await create(who));
  expect(new Set(all.map(({ endpoint, secret }) => `${endpoint._id} ${secret}`)).size).toBe(1);
  expect(all[0]?.secret).toMatch(/^whsec_/);
  expect([await open(), JSON.stringify(await context.endpoints.get(`${all[0]?.endpoint._id}`)).includes('whsec_')]).toEqual([1, false]);
});

test('deleting frees a place', async () => {
  const made = [];
  for (let n = 0; n < 20; n += 1) made.push(await create());
  await expect(create()).rejects.toMatchObject(refused);
  const request = { identity: identity(), params: { id: made[7]?.endpoint._id } };
  await new EndpointsController(context).delete(request as unknown as FastifyRequest<{ Params: { id: string } }>);
  expect(await open()).toBe(19);
  await create();
  await expect(create()).rejects.toMatchObject(refused);
});

test('a URL inside takes no place', async () => {
  const inside = { ...wanted, url: 'https://inside.example/hook' };
  await expect(create(identity(), inside)).rejects.toMatchObject(refused);
  expect(await open()).toBe(0);
});
