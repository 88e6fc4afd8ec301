import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeCalculated } from '@svc/contracts/schema/calculated';
import { CreateWebhook } from '@svc/contracts/webhook/requests';
import { Engine } from '@svc/embedded';
import { createIds, FakeClock, iso } from '@svc/kernel';
import { parseKeyRing, type Identity } from '@svc/service';
import { boundText } from '@svc/service/secrets/testing/bound-text';
import type { WebhooksContext } from '../delivery/context.ts';
import { busAt, rowsOn } from '../delivery/testing/rows.ts';
import { createEndpoint } from './create.ts';
import { deleteEndpoint } from './change.ts';
import { WEBHOOK_ENDPOINTS } from './endpoint.ts';

let folder: string;
let engine: Engine;
let context: WebhooksContext;
const clock = new FakeClock();
const ids = createIds(clock);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-endpoints-'));
  engine = Engine.open(folder, { durable: false });
  context = {
    ...rowsOn(engine),
    bus: busAt(1),
    clock,
    logger: { error: () => undefined, warn: () => undefined } as unknown as WebhooksContext['logger'],
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
const create = (who = identity(), what = wanted) => createEndpoint(context, who, { body: what });
const open = (more = {}) => context.endpoints.count({ account: 'acct_1', env: 'test', deleted: false, ...more });
const refused = { code: 'validation_error', message: expect.any(String) };

test('creates exactly 20 endpoints from 30 concurrent requests', async () => {
  const ended = await Promise.allSettled(Array.from({ length: 30 }, () => create()));
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  for (const one of ended) if (one.status === 'rejected') expect(one.reason).toMatchObject(refused);
  expect(await open()).toBe(20);
  expect((await create(identity({ env: 'live' }))).endpoint.env).toBe('live'); // Each environment has its own limit.
});

test('returns the same endpoint and secret for a repeated command, sequential or concurrent', async () => {
  const who = identity();
  const all = await Promise.all([create(who), create(who), create(who)]);
  all.push(await create(who));
  expect(new Set(all.map(({ endpoint, secret }) => `${endpoint._id} ${secret}`)).size).toBe(1);
  expect(all[0]?.secret).toMatch(/^whsec_/);
  expect([await open(), JSON.stringify(await context.endpoints.get(`${all[0]?.endpoint._id}`)).includes('whsec_')]).toEqual([1, false]);
});

test('a secret that a later release bound to its endpoint is read there, and in no other endpoint', async () => {
  const bound = (id: string) => boundText(Buffer.alloc(32, 7), 'whsec_bound', { collection: WEBHOOK_ENDPOINTS, id });
  const [one, other] = [identity(), identity()];
  const [{ endpoint }, moved] = [await create(one), await create(other)];
  await context.endpoints.claim({ _id: endpoint._id }, { set: { secret: bound(endpoint._id) } });
  expect((await create(one)).secret).toBe('whsec_bound');
  await context.endpoints.claim({ _id: moved.endpoint._id }, { set: { secret: bound(endpoint._id) } });
  await expect(create(other)).rejects.toThrow(RangeError);
});

test('takes fields that it writes itself with the values that it gives them, and no other', async () => {
  const make = (sent: object) => {
    const calculated = takeCalculated(CreateWebhook, sent);
    return createEndpoint(context, identity(), { body: wanted, calculated });
  };
  expect((await make({ status: 'enabled', livemode: false, object: 'webhook_endpoint', disabled_reason: null })).endpoint.status).toBe(
    'enabled',
  );
  for (const sent of [{ id: 'we_x' }, { status: 'disabled' }, { secret: 'whsec_mine' }])
    await expect(make(sent)).rejects.toMatchObject(refused);
});

test('allows another endpoint after a deletion', async () => {
  const made = [];
  for (let n = 0; n < 20; n += 1) made.push(await create());
  await expect(create()).rejects.toMatchObject(refused);
  await deleteEndpoint(context, identity(), `${made[7]?.endpoint._id}`);
  expect(await open()).toBe(19);
  await create();
  await expect(create()).rejects.toMatchObject(refused);
});

test('repeats the answer of a deletion for the same command and version; another command gets not_found', async () => {
  const { _id: id } = (await create()).endpoint;
  const who = identity();
  const first = await deleteEndpoint(context, who, id, ['1']);
  expect(first).toMatchObject({ deleted: true, deleted_at: iso(clock.now()), version: 2 });
  clock.advance(1_000);
  expect(await deleteEndpoint(context, who, id, ['1'])).toEqual(first);
  await expect(deleteEndpoint(context, identity(), id)).rejects.toMatchObject({ code: 'not_found' });
});

test('deletes once when the same deletion is sent three times at once', async () => {
  const { _id: id } = (await create()).endpoint;
  const who = identity();
  const ended = await Promise.all([1, 2, 3].map(() => deleteEndpoint(context, who, id, ['1'])));
  expect(ended.map(({ version, deleted_by }) => [version, deleted_by])).toEqual(Array(3).fill([2, who.commandId]));
});

test('deletes nothing at another version', async () => {
  const { _id: id } = (await create()).endpoint;
  await expect(deleteEndpoint(context, identity(), id, ['2'])).rejects.toMatchObject({ code: 'version_conflict' });
  await expect(deleteEndpoint(context, identity({ account: 'acct_2' }), id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await open()).toBe(1);
});

test('creates nothing for an internal URL', async () => {
  const inside = { ...wanted, url: 'https://inside.example/hook' };
  await expect(create(identity(), inside)).rejects.toMatchObject(refused);
  expect(await open()).toBe(0);
});

describe('the events that an endpoint receives', () => {
  test('begin at the ends of all webhook topics at its creation', async () => {
    const ends = async (topic: string) => ({ '0': `${topic.length}`, '1': '0' });
    context = { ...context, bus: { ends } };
    const { endpoint } = await create();
    expect((await context.endpoints.get(endpoint._id))?.ends).toEqual({
      'invoicing.invoice': { '0': '17', '1': '0' },
      'invoicing.receipt': { '0': '17', '1': '0' },
      'invoicing.customer': { '0': '18', '1': '0' },
    });
  });

  test.each<[string, () => Promise<never>]>([
    ['is away', () => Promise.reject(new Error('connect ECONNREFUSED'))],
    ['does not answer within 5 s', () => new Promise(() => undefined)],
  ])('cannot be decided while the bus %s: 503, and nothing is stored', async (_what, ends) => {
    context = { ...context, bus: { ends } };
    const who = identity();
    const created = expect(create(who)).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 5 });
    await clock.advance(5_000);
    await created;
    expect(await open()).toBe(0);
    context = { ...context, bus: busAt(1) };
    expect((await create(who)).endpoint.ends).toMatchObject({ 'invoicing.invoice': { store: '1' } });
  });

  test('are not decided again when the creation is repeated', async () => {
    const who = identity();
    const { endpoint } = await create(who);
    context = { ...context, bus: { ends: () => Promise.reject(new Error('away')) } };
    expect((await create(who)).endpoint).toEqual(endpoint);
  });
});
