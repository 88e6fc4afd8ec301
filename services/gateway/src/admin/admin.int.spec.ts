import { dayIn, plusDays } from '@svc/kernel';
import { createLogger, Health, operatorTokens, type Ops, startOps } from '@svc/service';
import { admin as svc } from '@svc/service/admin/run-admin';
import { ensureDemoAccount } from '../demo-account.ts';
import { EdgeApp } from '../testing/edge-app.ts';
import { accountCommands } from './admin-commands.ts';
import { adminRoutes } from './admin-routes.ts';

const TOKEN = 'operators-token';
const ANA = 'token-of-ana-of-more-than-32-characters';
const BEN = 'token-of-ben-of-more-than-32-characters';
const GIB = 1024 ** 3;
let edge: EdgeApp;
let ops: Ops;
beforeAll(async () => {
  edge = await EdgeApp.start();
  const logger = createLogger({ level: 'silent', service: 'test' });
  const today = dayIn('UTC', edge.clock.now());
  const named = operatorTokens(`ana:${ANA}:${today},ben:${BEN}:${plusDays(today, -1)}`) ?? [];
  const admin = adminRoutes(edge.gateway.accounts, { token: TOKEN, named });
  ops = await startOps({ host: '127.0.0.1', port: 0, health: new Health(), logger, admin });
});
afterAll(async () => {
  await ops.close();
  await edge.stop();
});

async function admin(method: string, path: string, body?: unknown, token: string | undefined = TOKEN) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`http://127.0.0.1:${ops.port}/admin${path}`, { method, headers, body: JSON.stringify(body) });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, never> & { error: Record<string, unknown> },
  };
}
const open = async (over: object = {}) => (await admin('POST', '/accounts', { name: 'Ana', plan: 'free', ...over })).body;

describe('/admin', () => {
  test('requires its token', async () => {
    const { test_key } = await open();
    for (const token of ['', 'nobody', String(test_key)]) {
      const { status, body, headers } = await admin('POST', '/accounts', { name: 'x', plan: 'free' }, token);
      expect([status, body.error['code']]).toEqual([401, 'invalid_api_key']);
      expect(body.error['request_id']).toBe(headers.get('x-request-id'));
    }
    expect((await admin('PATCH', '/accounts/acct_x', { suspended: true }, 'nobody')).status).toBe(401);
  });

  test('the audit names the operator whose token was sent', async () => {
    const { status, body } = await admin('POST', '/accounts', { name: 'Ana', plan: 'free' }, ANA);
    expect(status).toBe(201);
    expect((await admin('PATCH', `/accounts/${String(body['id'])}`, { suspended: true })).status).toBe(200);
    await edge.clock.advance(2_000);
    const entries = await Array.fromAsync(edge.gateway.audit.find({ account: String(body['id']) }));
    const actors = entries.map(({ action, change: { actor } }) => [action, actor.type, actor.id]);
    expect(actors).toContainEqual(['account.created', 'operator', 'operator ana']);
    expect(actors).toContainEqual(['account.updated', 'operator', 'operator']);
  });

  test('a token is refused after its last day', async () => {
    const { status, body } = await admin('PATCH', '/accounts/acct_x', { suspended: true }, BEN);
    expect([status, body.error['code'], body.error['message']]).toEqual([
      401,
      'invalid_api_key',
      expect.stringContaining('was valid until'),
    ]);
  });

  test('opens an account with a test key and a live key', async () => {
    const { status, body } = await admin('POST', '/accounts', {
      name: 'Ana',
      plan: 'enterprise',
      limits: { plan: 7, burst: 3 },
      email: 'ana@example.com',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^acct_/),
      name: 'Ana',
      plan: 'enterprise',
      email: 'ana@example.com',
      suspended: false,
    });
    expect(body['limits']).toEqual({ plan: 7, burst: 3, submit: 10, receipts: 100, reports: 5, storage: 100 * GIB });
    for (const [key, livemode] of [
      ['test_key', false],
      ['live_key', true],
    ] as const) {
      // prettier-ignore
      expect((await edge.caller(body[key])('GET', '/v1/account')).body).toMatchObject({ id: body['id'], livemode });
    }
  });

  test.each([
    ['free', GIB],
    ['starter', 10 * GIB],
    ['professional', 100 * GIB],
    ['enterprise', 100 * GIB],
  ])('an account of the plan %s may store %i bytes, unless its own limit says otherwise', async (plan, storage) => {
    const { id, limits } = await open({ plan });
    expect(limits).toMatchObject({ storage });
    expect((await admin('PATCH', `/accounts/${id}`, { limits: { storage: 5 } })).body['limits']).toMatchObject({ storage: 5 });
    for (const wrong of [0, -1, 0.5, 2 ** 51, '5']) {
      const { status, body } = await admin('PATCH', `/accounts/${id}`, { limits: { storage: wrong } });
      expect([status, Object.keys(body.error['details'] ?? {})]).toEqual([422, ['limits.storage']]);
    }
  });

  test('changes plan, limits and suspension; limits are replaced as a whole', async () => {
    const { id, test_key } = await open({ limits: { plan: 7, burst: 3 } });
    const call = edge.caller(test_key);
    expect((await admin('PATCH', `/accounts/${id}`, { limits: { burst: 20 } })).body['limits']).toMatchObject({ plan: 60, burst: 20 });
    expect((await call('GET', '/v1/account')).headers['x-ratelimit-limit']).toBe('60');
    expect((await admin('PATCH', `/accounts/${id}`, { plan: 'starter', limits: null })).body['limits']).toMatchObject({
      plan: 300,
      burst: 50,
    });
    await admin('PATCH', `/accounts/${id}`, { suspended: true });
    expect((await call('GET', '/v1/account')).body.error?.code).toBe('account_suspended');
    await admin('PATCH', `/accounts/${id}`, { suspended: false });
    expect((await call('GET', '/v1/account')).status).toBe(200);
  });

  test('creates keys', async () => {
    const { id } = await open();
    const expires_at = '2027-01-01T05:30:00.0009999+05:30';
    const { status, body } = await admin('POST', `/accounts/${id}/keys`, {
      name: 'till',
      livemode: true,
      permissions: ['reports:read'],
      expires_at,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: 'api_key',
      livemode: true,
      permissions: ['reports:read'],
      expires_at: '2027-01-01T00:00:00.000Z',
    });
    expect((await edge.caller(body['key'])('GET', '/v1/account')).status).toBe(200);
  });

  test('lists accounts, newest first, a page at a time, and shows one', async () => {
    const [first, second] = [await open({ name: 'First', email: 'a@example.com' }), await open({ name: 'Second' })];
    const list = await admin('GET', '/accounts?per_page=1');
    expect(list).toMatchObject({ status: 200, body: { data: [{ id: second['id'], name: 'Second', suspended: false }] } });
    const { next, last } = list.body['links'] as unknown as Record<string, string>;
    const rest = await admin('GET', String(next).split('/admin')[1] as string);
    expect(rest.body['data']).toMatchObject([{ id: first['id'], email: 'a@example.com', plan: 'free' }]);
    expect(last).toContain(`per_page=1&page=${(list.body['meta'] as unknown as { total: number }).total}`);
    const { test_key: _, live_key: _1, sign_in_url: _2, ...account } = first;
    expect((await admin('GET', `/accounts/${first['id']}`)).body).toEqual(account);
    expect((await admin('GET', '/accounts/acct_x')).status).toBe(404);
  });

  test('lists the keys of an account in both environments, never their values', async () => {
    const { id, test_key, live_key } = await open();
    const { status, body } = await admin('GET', `/accounts/${id}/keys`);
    expect([status, (body['meta'] as unknown as { total: number }).total]).toEqual([200, 2]);
    const keys = body['data'] as unknown as { livemode: boolean; start: string }[];
    expect(keys.map(({ livemode }) => livemode).sort()).toEqual([false, true]);
    for (const value of [test_key, live_key]) {
      expect(JSON.stringify(body)).not.toContain(value);
      expect(keys.map(({ start }) => start)).toContain(String(value).slice(0, 12));
    }
    expect((await admin('GET', '/accounts/acct_x/keys')).status).toBe(404);
  });

  test('refuses wrong and unknown parameters, and whoever has no token', async () => {
    for (const query of ['page=0', 'per_page=101', 'color=red']) {
      const { status, body } = await admin('GET', `/accounts?${query}`);
      expect([status, body.error['code'], Object.keys(body.error['details'] as object)]).toEqual([
        400,
        'invalid_request',
        [query.split('=')[0]],
      ]);
    }
    for (const path of ['/accounts', '/accounts/acct_x', '/accounts/acct_x/keys'])
      expect((await admin('GET', path, undefined, 'nobody')).status).toBe(401);
  });

  test.each([
    ['POST', '/accounts', { plan: 'free' }, 'name'],
    ['POST', '/accounts', { name: 'x', plan: 'gold' }, 'plan'],
    ['POST', '/accounts', { name: 'x', plan: 'free', limits: { plan: 0 } }, 'limits.plan'],
    ['POST', '/accounts', { name: 'x', plan: 'free', colour: 'red' }, 'colour'],
    ['POST', '/accounts/acct_x/keys', { name: 'x', livemode: false, permissions: [] }, 'permissions'],
    ['POST', '/accounts/acct_x/keys', { name: 'x', livemode: false, permissions: ['everything'] }, 'permissions.0'],
  ])('%s %s with %j is 422 and names %s', async (method, path, body, field) => {
    const answer = await admin(method, path, body);
    expect([answer.status, Object.keys(answer.body.error['details'] as object)]).toEqual([422, [field]]);
  });

  test('an unknown account is 404, an expiry in the past 422', async () => {
    const key = { name: 'x', livemode: false, permissions: ['*'] };
    expect((await admin('PATCH', '/accounts/acct_x', { suspended: true })).status).toBe(404);
    expect((await admin('POST', '/accounts/acct_x/keys', key)).status).toBe(404);
    const { id } = await open();
    expect((await admin('POST', `/accounts/${id}/keys`, { ...key, expires_at: '2020-01-01T00:00:00Z' })).status).toBe(422);
  });
});

describe('svc admin', () => {
  const run = async (...words: string[]) => (await svc(accountCommands, ['admin', ...words])) as Record<string, string>;
  beforeAll(() => Object.assign(process.env, { OPS_PORT: String(ops.port), ADMIN_TOKEN: TOKEN }));

  test('creates an account, changes it and creates a key of it', async () => {
    const limits = '{"plan": 1200, "burst": 100}';
    const { id = '', live_key } = await run('accounts', 'create', '--name', 'Ana', '--plan', 'enterprise', '--limits', limits);
    expect((await edge.caller(live_key)('GET', '/v1/account')).body).toMatchObject({ id, livemode: true, plan: 'enterprise' });
    expect(await run('accounts', 'change', '--id', id, '--suspended', 'true')).toMatchObject({ suspended: true, limits: { plan: 1200 } });
    expect(await run('accounts', 'change', '--id', id, '--suspended', 'false', '--limits', 'null')).not.toMatchObject({
      limits: { plan: 1200 },
    });
    const till = ['keys', 'create', '--account', id, '--name', 'till', '--livemode', 'true', '--permissions', 'reports:read,invoices:read'];
    const { key, ...rest } = await run(...till, '--expires-at', '2027-01-01T00:00:00Z');
    expect(rest).toMatchObject({ livemode: true, permissions: ['reports:read', 'invoices:read'], expires_at: '2027-01-01T00:00:00.000Z' });
    expect((await edge.caller(key)('GET', '/v1/account')).status).toBe(200);
  });

  test('lists accounts and keys, and shows an account', async () => {
    const { id = '', test_key = '' } = await run('accounts', 'create', '--name', 'Ana', '--plan', 'free');
    expect(await run('accounts', 'list', '--per-page', '1')).toMatchObject({ data: [{ id }] });
    expect(await run('accounts', 'show', '--id', id)).toMatchObject({ id, name: 'Ana' });
    const keys = await run('keys', 'list', '--account', id, '--page', '1');
    expect(keys).toMatchObject({ meta: { total: 2 } });
    expect(JSON.stringify(keys)).not.toContain(test_key);
  });

  test('lists the members of an account, whatever they were invited as', async () => {
    const { id = '' } = await run('accounts', 'create', '--name', 'Ana', '--plan', 'free', '--email', 'ana@example.com');
    const members = await run('members', 'list', '--account', id);
    expect(members).toMatchObject({ data: [{ email: 'ana@example.com', role: 'owner', joined_at: null }] });
    const [first] = members['data'] as unknown as { id: string }[];
    expect(await run('members', 'list', '--account', id, '--after', first?.id ?? '')).toEqual({ data: [] });
    await expect(run('members', 'list', '--account', 'acct_x')).rejects.toThrow();
  });

  test('names the options that are wrong', async () => {
    await expect(run('accounts', 'create', '--name', 'Ana', '--plan', 'gold')).rejects.toThrow(/^--plan: /m);
    await expect(run('accounts', 'create', '--name', 'Ana', '--plan', 'free', '--limits', 'many')).rejects.toThrow('--limits is many');
    await expect(run('accounts', 'change', '--plan', 'free')).rejects.toThrow('--id is missing');
    await expect(run('keys', 'create', '--account', 'acct_x', '--name', 'till')).rejects.toThrow('--livemode, --permissions are missing');
  });
});

test('only the first start creates the demo account', async () => {
  const fresh = await EdgeApp.start();
  const demo = await ensureDemoAccount(fresh.gateway.accounts, { plan: 'professional', email: 'demo@example.com' });
  const { body } = await fresh.caller(demo?.test_key)('GET', '/v1/account');
  expect(body).toMatchObject({ id: demo?.account_id, name: 'Demo', plan: 'professional' });
  expect(await ensureDemoAccount(fresh.gateway.accounts, { plan: 'free', email: 'demo@example.com' })).toBeUndefined();
  await fresh.stop();
});
