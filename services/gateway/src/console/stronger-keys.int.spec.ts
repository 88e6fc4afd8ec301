import { code } from '../testing/browser.ts';
import { consoleOf, PASSWORD } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { owner, invited } = consoleOf(() => edge);

test('a developer revokes, changes and rotates no live key that is stronger than one that he may make', async () => {
  const { self, liveKey } = await owner();
  const developer = await invited(self, 'developer');
  const live = (permissions: string[], name: string) => self.call('POST', '/api-keys', { body: { name, livemode: true, permissions } });
  const [strong, weak] = [await live(['*'], 'strong'), await live(['webhooks:write'], 'weak')];
  const path = `/api-keys/${String(strong.body['id'])}`;
  expect(code(await developer.self.call('POST', '/session/step-up', { body: { password: PASSWORD } }))).toBe('200');
  const answers = [
    await developer.self.call('DELETE', path),
    await developer.self.call('PATCH', path, { body: { name: 'mine' } }),
    await developer.self.call('POST', `${path}/rotate`, { body: {} }),
    await developer.self.call('DELETE', `/api-keys/${String(weak.body['id'])}`),
  ];
  expect(answers.map(code)).toEqual([...Array.from({ length: 3 }, () => '403 insufficient_permissions'), '200']);
  expect((await edge.caller(liveKey)('GET', '/v1/account')).status).toBe(200);
});

test('an account has at most 1,000 keys that are not revoked', async () => {
  const { self, account } = await owner();
  const { keys } = edge.gateway.accounts.store;
  const [first] = await Array.fromAsync(keys.find({ account, deleted_at: null }, { limit: 1 }));
  if (!first) throw new Error('there is none');
  for (let n = 0; n < 998; n += 1) await keys.insert({ ...first, _id: `key_x${n}`, current: `x${n}` });
  const create = () => self.call('POST', '/api-keys', { body: { name: 'one more', livemode: false, permissions: ['*'] } });
  expect(code(await create())).toBe('422 validation_error');
  expect(code(await self.call('DELETE', '/api-keys/key_x1'))).toBe('200');
  expect(code(await create())).toBe('201');
});

test('what reads much costs as many of the requests of a member', async () => {
  const { self } = await owner();
  const left = async (path: string) => Number((await self.call('GET', path, { livemode: true })).headers['x-ratelimit-remaining']);
  const before = await left('/me');
  expect([before - (await left('/requests/groups')), before - (await left('/me'))]).toEqual([10, 11]);
});

test('nothing of a password is kept under an Idempotency-Key', async () => {
  const { self } = await owner();
  const headers = { 'idempotency-key': 'once' };
  for (const password of [PASSWORD, 'wrong-password-1']) await self.call('POST', '/session/step-up', { body: { password }, headers });
  const { self: other } = await owner();
  await other.call('POST', '/me/totp', { body: {} });
  await other.call('POST', '/me/totp/confirm', { body: { code: '000000' }, headers });
  const rows = await Array.fromAsync(edge.gateway.idempotencyRows.find({}));
  expect(rows).toEqual([]);
});
