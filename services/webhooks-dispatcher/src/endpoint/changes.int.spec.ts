import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { createIds, FakeClock, iso } from '@svc/kernel';
import { parseKeyRing, type Identity } from '@svc/service';
import type { CreateWebhook, UpdateWebhook } from '@svc/contracts/webhook/requests';
import type { WebhooksContext } from '../delivery/context.ts';
import { busAt, rowsOn, shopEndpoint, silent } from '../delivery/testing/rows.ts';
import { enableEndpoint, rotateSecret, updateEndpoint, deleteEndpoint } from './change.ts';
import { createEndpoint } from './create.ts';
import { BY_REQUEST, WAITS } from './domain/endpoint.ts';
import { decrypted, endpointResource, NONE_ENDED, type Endpoint, versionOf } from './endpoint.ts';

const clock = new FakeClock();
const ids = createIds(clock);
const ring = parseKeyRing(`v1:${Buffer.alloc(32, 7).toString('base64')}`);
let folder: string;
let engine: Engine;
let context: WebhooksContext;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-changes-'));
  engine = Engine.open(folder, { durable: false });
  context = {
    ...rowsOn(engine),
    ...{ bus: busAt(1), clock, logger: silent, ring, allowed: new Set<string>(), delays: [], publicUrl: '', lookEvery: 60_000 },
    resolve: async (host) => (host === 'inside.example' ? ['10.0.0.8'] : ['93.184.216.34']),
  };
  await context.endpoints.insert({ ...shopEndpoint(), secret: ring.encrypt('whsec_first') });
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const identity = (more: Partial<Identity> = {}): Identity => ({
  ...{ account: 'acct_1', env: 'test', livemode: false, permissions: [], actor: { type: 'api_key', id: 'key_1' } },
  ...{ requestId: 'req_1', commandId: ids.next() },
  ...more,
});
const update = (body: object, who = identity(), ifMatch?: string[]): Promise<Endpoint> =>
  updateEndpoint(context, who, { id: 'we_1', ifMatch }, { body: body as UpdateWebhook, ended: NONE_ENDED });
const rotate = (body = {}, who = identity()) => rotateSecret(context, who, { id: 'we_1' }, body);
const stored = async (): Promise<Endpoint> => (await context.endpoints.get('we_1')) as Endpoint;
const refused = (code: string) => expect.objectContaining({ code });

test('a patch merges: what it does not name stays, null empties, pairs merge', async () => {
  await update({ description: 'Shop', metadata: { a: '1', b: '2' }, events: ['invoice.created', 'invoice.created'], rate_per_second: 5 });
  const after = await update({ metadata: { b: null, c: '3' }, description: null, rate_per_second: null });
  expect(endpointResource(after, NONE_ENDED)).toMatchObject({
    ...{
      url: 'https://shop.example/x',
      events: ['invoice.created'],
      description: null,
      rate_per_second: null,
      metadata: { a: '1', c: '3' },
      version: 3,
    },
    updated_at: iso(clock.now()),
  });
});

test('a patch of the same values changes no version, and a repeat of a command changes nothing', async () => {
  const who = identity();
  const first = await update({ description: 'Shop' }, who, ['1']);
  expect(versionOf(await update({ description: 'Shop', events: ['*'] }))).toBe(2);
  expect(await update({ description: 'Shop' }, who, ['1'])).toEqual(first);
});

test('another version, a foreign or a deleted endpoint is refused', async () => {
  await expect(update({ description: 'x' }, identity(), ['2'])).rejects.toEqual(refused('version_conflict'));
  for (const who of [identity({ account: 'acct_2' }), identity({ env: 'live' })]) {
    await expect(update({ description: 'x' }, who)).rejects.toEqual(refused('not_found'));
    await expect(rotate({}, who)).rejects.toEqual(refused('not_found'));
    await expect(enableEndpoint(context, who, { id: 'we_1' })).rejects.toEqual(refused('not_found'));
  }
  await deleteEndpoint(context, identity(), 'we_1');
  await expect(update({ description: 'x' })).rejects.toEqual(refused('not_found'));
});

test('of many patches at the same time each is done', async () => {
  await Promise.all(['a', 'b', 'c'].map((key) => update({ metadata: { [key]: '1' } })));
  expect((await stored()).metadata).toEqual({ a: '1', b: '1', c: '1' });
});

test('a new URL is judged as at the creation; the present one is not judged again', async () => {
  for (const url of ['http://shop.example/x', 'https://inside.example/x'])
    await expect(update({ url })).rejects.toMatchObject({ code: 'validation_error', details: { url: [expect.any(String)] } });
  context = { ...context, resolve: async () => ['10.0.0.8'] };
  expect((await update({ url: 'https://shop.example/x', description: 'same' })).description).toBe('same');
});

test('disabling by hand says so and asks for its deliveries to be cancelled; enabling forgets that and why it was failing', async () => {
  await context.endpoints.claim({ _id: 'we_1' }, { set: { failing_since: iso(0), failure: 'it answered 500', unseen: 1 } });
  const off = await update({ status: 'disabled' });
  expect(off).toMatchObject({ status: 'disabled', disabled_reason: expect.stringMatching(/request/) });
  expect(off.cleared_at ?? null).toBeNull();
  expect(versionOf(off)).toBe(2);
  expect((await update({ status: 'disabled' })).version).toBe(off.version);
  expect(await update({ status: 'enabled' })).toMatchObject({
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
    failure: null,
  });
  expect(versionOf(await enableEndpoint(context, identity(), { id: 'we_1' }))).toBe(3);
});

describe('of a live endpoint, one who sees no personal data', () => {
  const live = { env: 'live', livemode: true } as const;
  const owner = (): Identity => identity(live);
  const waits: Partial<Endpoint> = { status: 'disabled', disabled_reason: WAITS };
  const off: Partial<Endpoint> = { status: 'disabled', disabled_reason: BY_REQUEST };
  const on: Partial<Endpoint> = { status: 'enabled', disabled_reason: null };
  const create = async (who: Identity): Promise<Endpoint> =>
    (await createEndpoint(context, who, { body: { url: 'https://other.example/x', events: ['*'] } as CreateWebhook })).endpoint;
  const enable = (who: Identity): Promise<Endpoint> => enableEndpoint(context, who, { id: 'we_1' });

  beforeEach(() => context.endpoints.claim({ _id: 'we_1' }, { set: { env: 'live', cleared_at: iso(0) } }));

  describe.each([
    ['in the dashboard', { type: 'member', id: 'mem_1' }],
    ['by a key', { type: 'api_key', id: 'key_1' }],
  ] as const)('%s', (_where, actor) => {
    const member = (): Identity => identity({ ...live, actor, personalData: false });

    test.each<[string, Partial<Endpoint>, (who: Identity) => Promise<Endpoint>, Partial<Endpoint>, Partial<Endpoint>]>([
      ['makes one', on, create, waits, on],
      ['points it elsewhere', on, (who) => update({ url: 'https://other.example/x' }, who), waits, on],
      ['has it listen to more or less', on, (who) => update({ events: ['invoice.created'] }, who), waits, on],
      ['points a disabled one elsewhere', off, (who) => update({ url: 'https://other.example/x' }, who), waits, off],
      ['points it elsewhere and enables it', off, (who) => update({ url: 'https://other.example/x', status: 'enabled' }, who), waits, on],
      ['points it elsewhere and disables it', on, (who) => update({ url: 'https://other.example/x', status: 'disabled' }, who), waits, off],
      ['patches the same values', on, (who) => update({ url: 'https://shop.example/x', events: ['*'] }, who), on, on],
      ['describes it', on, (who) => update({ description: 'Shop' }, who), on, on],
      ['disables it', on, (who) => update({ status: 'disabled' }, who), off, off],
      ['disables one that waits', waits, (who) => update({ status: 'disabled' }, who), waits, waits],
      ['enables one that waits, by a patch', waits, (who) => update({ status: 'enabled', description: 'Shop' }, who), waits, on],
      ['enables one that does not wait, by a patch', off, (who) => update({ status: 'enabled' }, who), on, on],
      ['enables one that does not wait', off, enable, on, on],
    ])('%s', async (_what, before, change, byMember, byOwner) => {
      for (const [who, after] of [
        [member(), byMember],
        [owner(), byOwner],
      ] as const) {
        await context.endpoints.claim({ _id: 'we_1' }, { set: { ...before, url: 'https://shop.example/x', events: ['*'] } });
        expect(await change(who)).toMatchObject(after);
      }
    });

    test('is refused to enable one that waits, which an owner enables', async () => {
      await context.endpoints.claim({ _id: 'we_1' }, { set: waits });
      await expect(enable(member())).rejects.toEqual(refused('insufficient_permissions'));
      expect(await stored()).toMatchObject(waits);
      expect(await enable(owner())).toMatchObject(on);
    });
  });

  test('may do all of that with one of the test environment', async () => {
    await context.endpoints.claim({ _id: 'we_1' }, { set: { env: 'test' } });
    const who = identity({ personalData: false });
    expect(await create(who)).toMatchObject(on);
    expect(await update({ url: 'https://other.example/x' }, who)).toMatchObject(on);
  });

  test('has what was pending cancelled: it goes not to the new URL', async () => {
    const { cleared_at } = await update({ url: 'https://other.example/x' }, identity({ ...live, personalData: false }));
    expect(cleared_at).toBeNull();
  });
});

describe('headers', () => {
  const names = async (): Promise<string[]> => ((await stored()).headers ?? []).map(({ name }) => name);

  test('are merged by their names, whatever their case, and their values are encrypted', async () => {
    await update({ headers: { 'X-Shop-Key': 'first-value', Authorization: 'Bearer a' } });
    await update({ headers: { 'x-shop-key': 'second-value', authorization: null, 'X-Other': 'c' } });
    expect(await names()).toEqual(['x-shop-key', 'X-Other']);
    const endpoint = await stored();
    expect(decrypted(endpoint, endpoint.headers?.[0]?.value ?? '', ring)).toBe('second-value');
    expect(JSON.stringify(endpoint)).not.toMatch(/second-value/);
    await update({ headers: null });
    expect(await names()).toEqual([]);
  });

  test('of the same names and values change nothing, not even the version', async () => {
    const headers = { 'X-Shop-Key': 'first-value', 'X-Other': 'c' };
    const before = await update({ headers });
    expect(await update({ headers })).toEqual(before);
    expect(versionOf(await update({ headers: { 'X-Other': 'd' } }))).toBe(versionOf(before) + 1);
    expect((await stored()).headers?.[0]).toEqual(before.headers?.[0]);
  });

  test.each([
    [{ 'Content-Type': 'x' }, 'headers.Content-Type'],
    [{ HOST: 'x' }, 'headers.HOST'],
    [{ 'Transfer-Encoding': 'chunked' }, 'headers.Transfer-Encoding'],
    [{ 'Webhook-Signature': 'x' }, 'headers.Webhook-Signature'],
    [{ 'x-service-signature': 'x' }, 'headers.x-service-signature'],
    [{ traceparent: 'x' }, 'headers.traceparent'],
    [{ 'bad name': 'x' }, 'headers.bad name'],
    [{ 'X-A': 'a\r\nX-B: c' }, 'headers.X-A'],
    [{ 'X-A': ' a' }, 'headers.X-A'],
    [{ 'X-A': '' }, 'headers.X-A'],
    [{ 'X-A': 'ü' }, 'headers.X-A'],
    [{ 'X-A': 'a', 'x-a': 'b' }, 'headers.x-a'],
  ])('%j is refused', async (headers, field) => {
    await expect(update({ headers })).rejects.toMatchObject({ code: 'validation_error', details: { [field]: [expect.any(String)] } });
  });

  test('are ten at most, after the merge', async () => {
    const some = (from: number, count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${from + n}`, 'x']));
    await update({ headers: some(0, 10) });
    await expect(update({ headers: some(10, 1) })).rejects.toMatchObject({ details: { headers: [expect.any(String)] } });
    await update({ headers: { 'X-0': null, ...some(10, 1) } });
    expect(await names()).toHaveLength(10);
  });
});

describe('a rotation', () => {
  test('shows a new secret, keeps the old one for a day or as long as it says, and stores neither in clear', async () => {
    const { secret, endpoint } = await rotate();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint.old_secrets).toMatchObject([{ until: iso(clock.now() + 86_400_000) }]);
    expect(decrypted(endpoint, endpoint.old_secrets?.[0]?.secret ?? '', ring)).toBe('whsec_first');
    expect(JSON.stringify(await stored())).not.toContain('whsec_');
    expect((await rotate({ grace_period_seconds: 0 })).endpoint.old_secrets).toEqual([]);
  });

  test('that is repeated shows the same secret, at the same time and after another change', async () => {
    const who = identity();
    const all = await Promise.all([rotate({}, who), rotate({}, who), rotate({}, who)]);
    await update({ description: 'between' });
    all.push(await rotate({}, who));
    expect(new Set(all.map(({ secret }) => secret)).size).toBe(1);
    expect((await stored()).old_secrets).toHaveLength(1);
  });

  test('the fifth within the grace of the others is refused and changes nothing; a repeat of the fourth shows its secret', async () => {
    for (let n = 1; n < 4; n += 1) await rotate();
    const fourth = identity();
    const { secret, endpoint } = await rotate({}, fourth);
    await expect(rotate()).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining(iso(clock.now() + 86_400_000)),
    });
    expect(await stored()).toEqual(endpoint);
    expect((await rotate({}, fourth)).secret).toBe(secret);
    await clock.advance(86_400_000);
    expect((await rotate()).endpoint.old_secrets).toHaveLength(1);
  });
});
