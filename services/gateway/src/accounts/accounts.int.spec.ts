import type { Grant } from '@svc/contracts/account/vocabulary';
import { createLogger } from '@svc/service';
import { type Answer, EdgeApp } from '../testing/edge-app.ts';
import { changeAccount } from './change-account.ts';
import { changeKey, revokeKey } from '../keys/change-key.ts';
import { createKey } from '../keys/create-key.ts';
import { createChanges } from '../principals/look-ups.ts';
import { createKeyRecognizer } from '../principals/api-key/resolve-key.ts';
import { rotateKey } from '../keys/rotate-key.ts';

const operator = { type: 'system' as const, id: 'test' };
const DAY_MS = 86_400_000;
let edge: EdgeApp;
beforeAll(async () => {
  edge = await EdgeApp.start();
});
afterAll(() => edge.stop());

const iso = (at: number): string => new Date(at).toISOString();
const code = ({ status, body }: Answer): string => `${status} ${body.error?.code ?? ''}`;
async function key(account: string, permissions: Grant[], expiresAt: string | null = null) {
  const made = await createKey(
    edge.gateway.accounts,
    { account, env: 'test', name: 'till 3', permissions, expiresAt },
    { actor: operator },
  );
  return { ...made, id: made.key._id, call: edge.caller(made.value) };
}
const rotate = async (value: string, body: object = {}) => edge.caller(value)('POST', '/v1/api-keys/rotate', { body });
const opens = async (value: string) => (await edge.caller(value)('GET', '/v1/account')).status;

describe('GET /account', () => {
  test('shows the plan and the effective limits', async () => {
    const { id, call } = await edge.account({ name: 'Ana', plan: 'starter', limits: { submit: 30 } });
    const { body } = await call('GET', '/v1/account');
    expect(body).toMatchObject({ id, object: 'account', name: 'Ana', livemode: false, plan: 'starter' });
    expect(body['limits']).toEqual({ plan: 300, burst: 50, submit: 30, receipts: 100, reports: 5, storage: 10 * 1024 ** 3 });
  });
});

describe('keys', () => {
  test('are accepted in either header, or the same key in both', async () => {
    const { testKey, liveKey } = await edge.account();
    const status = async (headers: Record<string, string>) => (await edge.caller()('GET', '/v1/account', { headers })).status;
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) expect(await status({ authorization: `${scheme} ${testKey}` })).toBe(200);
    expect(await status({ 'x-api-key': testKey })).toBe(200);
    expect(await status({ 'x-api-key': testKey, authorization: `Bearer ${testKey}` })).toBe(200);
    expect(await status({ 'x-api-key': testKey, authorization: `Bearer ${liveKey}` })).toBe(401);
    for (const authorization of ['', 'Bearer', testKey, `Basic ${testKey}`, `Bearer ${testKey} ${testKey}`, `Bearer,${testKey}`]) {
      expect(await status({ authorization })).toBe(401);
    }
  });

  test('as they were read are written back, also by a key that has less, and not with other values that the service writes', async () => {
    const { id: account } = await edge.account();
    const strong = await key(account, ['*'], iso(edge.clock.now() + DAY_MS));
    const weak = await key(account, ['api_keys:read', 'api_keys:write']);
    const path = `/v1/api-keys/${strong.id}`;
    const { body: read } = await weak.call('GET', path);
    const sent = { ...read, last_used_at: '2020-01-01T00:00:00.000Z' };
    expect(await weak.call('PATCH', path, { body: sent })).toMatchObject({
      status: 200,
      body: read,
    });
    expect((await strong.call('PATCH', path, { body: { ...read, name: 'till 4' } })).body).toMatchObject({ name: 'till 4', version: 2 });
    const wrong = { version: 1, start: 'svc_test_abc', livemode: true, key: 'svc_test_mine', deleted_at: 'now' };
    const { status, body } = await strong.call('PATCH', path, { body: { ...read, ...wrong } });
    expect([status, ...Object.keys(body.error?.details ?? {}).sort()]).toEqual([422, ...Object.keys(wrong).sort()]);
  });

  test.each(['.123456789+00:00', '.1239Z', '.123z'])('expire at a moment of any form, cut to milliseconds: %s', async (end) => {
    const { id: account, call } = await edge.account();
    const { id } = await key(account, ['*']);
    const at = iso(edge.clock.now() + DAY_MS).slice(0, 19);
    const { body } = await call('PATCH', `/v1/api-keys/${id}`, { body: { expires_at: `${at.toLowerCase()}${end}` } });
    expect(body['expires_at']).toBe(`${at}.123Z`);
    expect(code(await call('PATCH', `/v1/api-keys/${id}`, { body: { expires_at: `${at}` } }))).toBe('422 validation_error');
  });

  test('are listed and read without their values, newest first, for one environment', async () => {
    const { id: account, call, liveKey } = await edge.account();
    const made = await key(account, ['api_keys:read']);
    const { body, text } = await made.call('GET', `/v1/api-keys/${made.id}`);
    expect(body).toMatchObject({
      id: made.id,
      object: 'api_key',
      name: 'till 3',
      start: made.value.slice(0, 12),
      livemode: false,
      permissions: ['api_keys:read'],
    });
    const list = await call('GET', '/v1/api-keys');
    expect((list.body['data'] as { id: string }[]).map(({ id }) => id)[0]).toBe(made.id);
    expect(list.body['meta']).toMatchObject({ total: 2 });
    for (const shown of [text, list.text]) expect(shown).not.toContain(made.value.slice(12));
    expect(code(await edge.caller(liveKey)('GET', `/v1/api-keys/${made.id}`))).toBe('404 not_found');
    expect(code(await (await edge.account()).call('DELETE', `/v1/api-keys/${made.id}`))).toBe('404 not_found');
  });

  test('are renamed under If-Match and cannot get permissions that the caller lacks', async () => {
    const { id: account, call } = await edge.account();
    const made = await key(account, ['api_keys:write', 'reports:read']);
    const path = `/v1/api-keys/${made.id}`;
    const renamed = await made.call('PATCH', path, { body: { name: 'till 4' }, headers: { 'if-match': '"1"' } });
    expect([renamed.status, renamed.body['name'], renamed.headers['etag']]).toEqual([200, 'till 4', '"2"']);
    expect(code(await made.call('PATCH', path, { body: { name: 'till 5' }, headers: { 'if-match': '"1"' } }))).toBe('412 version_conflict');
    expect((await made.call('PATCH', path, { body: { name: 'till 4' } })).body['version']).toBe(2);
    expect(code(await made.call('PATCH', path, { body: { permissions: ['*'] } }))).toBe('403 insufficient_permissions');
    expect((await call('PATCH', path, { body: { permissions: ['invoices:read', 'api_keys:write'] } })).status).toBe(200);
    expect(code(await made.call('GET', '/v1/reports/sales'))).toBe('403 insufficient_permissions');
  });

  test('cannot get a later expiry than that of the caller', async () => {
    const { id: account, call } = await edge.account();
    const soon = iso(edge.clock.now() + DAY_MS);
    const later = iso(edge.clock.now() + 2 * DAY_MS);
    const short = await key(account, ['api_keys:write', 'api_keys:read'], soon);
    const other = await key(account, ['api_keys:read'], iso(edge.clock.now() + DAY_MS / 2));
    for (const id of [short.id, other.id]) {
      for (const expires_at of [later, null])
        expect(code(await short.call('PATCH', `/v1/api-keys/${id}`, { body: { expires_at } }))).toBe('403 insufficient_permissions');
      expect((await short.call('PATCH', `/v1/api-keys/${id}`, { body: { expires_at: soon } })).body['expires_at']).toBe(soon);
    }
    expect((await call('PATCH', `/v1/api-keys/${short.id}`, { body: { expires_at: null } })).body['expires_at']).toBeNull();
  });

  test('are lengthened only by who holds all their permissions, and not once they have expired', async () => {
    const { id: account, call } = await edge.account();
    const [soon, later] = [iso(edge.clock.now() + 2000), iso(edge.clock.now() + DAY_MS)];
    const [strong, weak] = [await key(account, ['*'], soon), await key(account, ['api_keys:write'])];
    const change = (by: typeof call, expires_at: string | null) =>
      by('PATCH', `/v1/api-keys/${strong.id}`, { body: { expires_at } }).then(code);
    for (const expires_at of [later, null]) expect(await change(weak.call, expires_at)).toBe('403 insufficient_permissions');
    expect(await change(weak.call, iso(edge.clock.now() + 1000))).toBe('200 ');
    expect(await change(call, soon)).toBe('200 ');
    await edge.clock.advance(2000);
    for (const by of [weak.call, call])
      for (const expires_at of [later, null]) expect(await change(by, expires_at)).toBe('422 invalid_state');
    expect(await opens(strong.value)).toBe(401);
    expect((await call('PATCH', `/v1/api-keys/${strong.id}`, { body: { name: 'ended' } })).status).toBe(200);
  });

  test('cannot get a permission that the caller’s key has lost since another process cached it', async () => {
    const { id: account } = await edge.account();
    const target = await key(account, ['api_keys:read']);
    const lowered = await key(account, ['api_keys:write', 'reports:read']);
    const revoked = await key(account, ['*']);
    const { accounts } = edge.gateway;
    const change = { permissions: ['api_keys:read', 'reports:read'] as Grant[] };
    const by = ({ id }: { id: string }) => ({ actor: { type: 'api_key' as const, id }, permissions: ['*'] });
    const of = ({ id }: { id: string }) => ({ account, env: 'test' as const, id });
    await changeKey(accounts, of(lowered), { permissions: ['api_keys:write'] }, { actor: operator, permissions: ['*'] });
    await revokeKey(accounts, of(revoked), { actor: operator, permissions: ['*'] });
    for (const each of [target, lowered])
      await expect(changeKey(accounts, of(each), change, by(lowered))).rejects.toMatchObject({ code: 'insufficient_permissions' });
    await expect(changeKey(accounts, of(target), change, by(revoked))).rejects.toMatchObject({ code: 'invalid_api_key' });
    expect((await accounts.store.keys.get(target.id))?.permissions).toEqual(['api_keys:read']);
  });

  test('are invalid after revocation and after their expiry', async () => {
    const { id: account, call } = await edge.account();
    const short = await key(account, ['*'], iso(edge.clock.now() + 2000));
    const gone = await key(account, ['*']);
    expect([await opens(short.value), await opens(gone.value)]).toEqual([200, 200]);
    expect((await call('DELETE', `/v1/api-keys/${gone.id}`)).body).toMatchObject({ id: gone.id, deleted_at: iso(edge.clock.now()) });
    expect(await opens(gone.value)).toBe(401);
    expect(code(await call('GET', `/v1/api-keys/${gone.id}`))).toBe('404 not_found');
    await edge.clock.advance(2000);
    expect(await opens(short.value)).toBe(401);
  });

  test('show the minute of their last use', async () => {
    const { id: account, call } = await edge.account();
    const made = await key(account, ['*']);
    expect((await call('GET', `/v1/api-keys/${made.id}`)).body['last_used_at']).toBeNull();
    await made.call('GET', '/v1/account');
    await edge.clock.advance(1000);
    const minute = Math.floor((edge.clock.now() - 1000) / 60_000) * 60_000;
    expect((await call('GET', `/v1/api-keys/${made.id}`)).body).toMatchObject({ last_used_at: iso(minute), version: 1 });
  });
});

describe('rotation', () => {
  test('keeps id, permissions, expiry and environment; the previous value is valid during its grace period', async () => {
    const { id: account, call } = await edge.account();
    const expires = iso(edge.clock.now() + 30 * DAY_MS);
    const old = await key(account, ['reports:read'], expires);
    const { status, body } = await rotate(old.value);
    expect([status, body['id'], body['expires_at'], body['previous_expires_at']]).toEqual([
      200,
      old.id,
      expires,
      iso(edge.clock.now() + DAY_MS),
    ]);
    const value = String(body['key']);
    expect(value).toMatch(/^svc_test_[0-9A-Za-z]{38}$/);
    for (const each of [old.value, value]) {
      expect((await edge.caller(each)('GET', '/v1/reports/sales')).status).toBe(200);
      expect(code(await edge.caller(each)('GET', '/v1/customers'))).toBe('403 insufficient_permissions');
    }
    expect((await call('GET', `/v1/api-keys/${old.id}`)).text).not.toContain(value.slice(12));
  });

  test('within a grace period ends the oldest value', async () => {
    const { testKey: first } = await edge.account();
    const second = String((await rotate(first)).body['key']);
    const third = String((await rotate(second)).body['key']);
    expect([await opens(first), await opens(second), await opens(third)]).toEqual([401, 200, 200]);
  });

  test('is not possible with the previous value, which stays valid for other requests', async () => {
    const { testKey: first } = await edge.account();
    const second = String((await rotate(first)).body['key']);
    expect(code(await rotate(first))).toBe('403 insufficient_permissions');
    expect([await opens(first), await opens(second)]).toEqual([200, 200]);
    expect((await rotate(second)).status).toBe(200);
  });

  test('is possible with the current value under the Idempotency-Key of an attempt with the previous one', async () => {
    const { testKey: first } = await edge.account();
    const second = String((await rotate(first)).body['key']);
    const under = (value: string): Promise<Answer> =>
      edge.caller(value)('POST', '/v1/api-keys/rotate', { body: {}, headers: { 'idempotency-key': 'monthly' } });
    for (let n = 0; n < 2; n += 1) {
      const refused = await under(first);
      expect([code(refused), refused.headers['idempotent-replayed']]).toEqual(['403 insufficient_permissions', undefined]);
    }
    const done = await under(second);
    expect([code(done), (await under(second)).text]).toEqual(['200 ', done.text]);
  });

  test('is not possible with a value that another process still caches as the current one', async () => {
    const { id: account } = await edge.account();
    const made = await key(account, ['*']);
    const rotation = { id: made.id, credentialHash: made.key.current, graceSeconds: 60, actor: operator };
    await rotateKey(edge.gateway.accounts, { ...rotation, command: 'c1' });
    await expect(rotateKey(edge.gateway.accounts, { ...rotation, command: 'c2' })).rejects.toMatchObject({
      code: 'insufficient_permissions',
    });
  });

  test('ends the previous value at once with a grace period of 0, and after 3 s with one of 3 s', async () => {
    const { testKey } = await edge.account();
    const second = String((await rotate(testKey, { grace_period_seconds: 0 })).body['key']);
    expect([await opens(testKey), await opens(second)]).toEqual([401, 200]);
    await rotate(second, { grace_period_seconds: 3 });
    expect(await opens(second)).toBe(200);
    await edge.clock.advance(3000);
    expect(await opens(second)).toBe(401);
  });

  test('by a clock that was ahead leaves the previous value none, or its longest grace, once the clock is set back', async () => {
    const { keys } = edge.gateway.accounts.store;
    const endsIn = async (id: string, days: number): Promise<void> => {
      await keys.claim({ _id: id }, { set: { previous_until: edge.clock.now() + days * DAY_MS } });
      await edge.clock.advance(6_000);
    };
    const [leaked, other] = [(await edge.account()).testKey, (await edge.account()).testKey];
    await endsIn(String((await rotate(leaked, { grace_period_seconds: 0 })).body['id']), 1);
    expect(await opens(leaked)).toBe(401);
    const id = String((await rotate(other)).body['id']);
    await endsIn(id, 6);
    expect(await opens(other)).toBe(200);
    await endsIn(id, 8);
    expect(await opens(other)).toBe(401);
  });

  test('accepts a grace period of 0 to 604,800 whole seconds', async () => {
    const { testKey } = await edge.account();
    for (const grace_period_seconds of [-1, 604_801, 1.5, '60'])
      expect(code(await rotate(testKey, { grace_period_seconds }))).toBe('422 validation_error');
  });

  test('rotates once when the command is repeated, and replaces the unseen value', async () => {
    const { id: account } = await edge.account();
    const made = await key(account, ['*']);
    const command = { id: made.id, credentialHash: made.key.current, command: 'c1', graceSeconds: 60, actor: operator };
    const lost = await rotateKey(edge.gateway.accounts, command);
    await edge.clock.advance(1000);
    const again = await rotateKey(edge.gateway.accounts, command);
    expect([await opens(made.value), await opens(lost.value), await opens(again.value)]).toEqual([200, 401, 200]);
    expect(again.key.previous_until).toBe(lost.key.previous_until);
  });

  test('happens once for concurrent requests under one key', async () => {
    const { testKey } = await edge.account();
    const answers = await Promise.all([rotate(testKey), rotate(testKey)]);
    expect(answers.map(code).sort()).toEqual(['200 ', '403 insufficient_permissions']);
    for (const { status, body } of answers) if (status === 200) expect(await opens(String(body['key']))).toBe(200);
  });
});

describe('the cache of callers', () => {
  const parts = () => ({ clock: edge.clock, logger: createLogger({ level: 'silent', service: 'test' }), changes: createChanges() });
  test('of another process is never older than 5 s', async () => {
    const { id, testKey } = await edge.account({ limits: { plan: 100, burst: 10 } });
    const { accounts } = edge.gateway;
    const elsewhere = createKeyRecognizer(accounts, parts());
    expect(await elsewhere.recognize(testKey)).toMatchObject({ suspended: false, limits: { plan: 100 } });
    await changeAccount(accounts, id, { suspended: true, limits: { plan: 200 } }, { actor: operator });
    expect(elsewhere.recognize(testKey)).toMatchObject({ suspended: false });
    expect((await edge.caller(testKey)('GET', '/v1/account')).status).toBe(403);
    await edge.clock.advance(5000);
    expect(await elsewhere.recognize(testKey)).toMatchObject({ suspended: true, limits: { plan: 200, burst: 100 } });
  });

  test('serves known keys, and no others, for 5 minutes while the database is unavailable', async () => {
    const { testKey, liveKey } = await edge.account();
    const { accounts } = edge.gateway;
    let away = false;
    const keys: typeof accounts.store.keys = {
      ...accounts.store.keys,
      find(...query) {
        if (away) throw new Error('connection refused');
        return accounts.store.keys.find(...query);
      },
    };
    const store = { ...accounts.store, keys };
    const recognizer = createKeyRecognizer({ ...accounts, store }, parts());
    const known = await recognizer.recognize(testKey);
    away = true;
    await edge.clock.advance(299_000);
    expect(await recognizer.recognize(testKey)).toBe(known);
    await expect(recognizer.recognize(liveKey)).rejects.toMatchObject({ code: 'service_unavailable' });
    await edge.clock.advance(1000);
    await expect(recognizer.recognize(testKey)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

test('the audit has actor and action of each change, and never a key’s value', async () => {
  const { id: account, testKey, call } = await edge.account();
  const rotated = await rotate(testKey);
  await call('DELETE', `/v1/api-keys/${String(rotated.body['id'])}`);
  await edge.clock.advance(2_000);
  const lines = [];
  for await (const { change } of edge.gateway.audit.find({ account }, { sort: { _id: 1 } })) lines.push(change);
  expect(lines.map(({ action }) => action)).toEqual([
    'api_key.created',
    'api_key.created',
    'account.created',
    'api_key.rotated',
    'api_key.deleted',
  ]);
  expect(lines[3]).toMatchObject({ actor: { type: 'api_key', id: rotated.body['id'] }, target: { id: rotated.body['id'] } });
  expect(JSON.stringify(lines)).not.toContain(testKey.slice(12));
});
