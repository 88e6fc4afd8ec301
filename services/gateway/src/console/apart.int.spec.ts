import { code } from '../testing/browser.ts';
import { consoleOf, PASSWORD } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { owner } = consoleOf(() => edge);

test('an API key is nothing to the dashboard’s routes, and a session nothing to those of keys', async () => {
  const { self, testKey } = await owner();
  const credentials: Record<string, string>[] = [{ authorization: `Bearer ${testKey}` }, { 'x-api-key': testKey }];
  for (const headers of credentials)
    for (const path of ['/console/me', '/console/v1/customers'])
      expect((await edge.caller()('GET', path, { headers: { ...headers, 'x-livemode': 'false' } })).body.error?.code).toBe(
        'invalid_session',
      );
  const cookie = `svc_session=${self.cookies.get('svc_session')}`;
  expect((await edge.caller()('GET', '/v1/customers', { headers: { cookie } })).body.error?.code).toBe('invalid_api_key');
});

test('no answer lets another origin read it, nor send more than a form may', async () => {
  const { self } = await owner();
  const headers = { origin: 'http://evil.example', 'access-control-request-method': 'POST' };
  for (const method of ['GET', 'OPTIONS'])
    for (const path of ['/me', '/v1/customers', '/session', '/openapi.json']) {
      const answer = await self.call(method, path, { livemode: false, headers });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
});

test('a key with addresses is unknown from all others', async () => {
  const { self } = await owner();
  const body = { name: 'Shop', livemode: false, permissions: ['*'], allowed_ips: ['127.9.0.0/16', '127.8.0.1'] };
  const wrong = await self.call('POST', '/api-keys', { body: { ...body, allowed_ips: ['127.9.0.0/33'] } });
  expect([code(wrong), Object.keys(wrong.body.error?.details ?? {})]).toEqual(['422 validation_error', ['allowed_ips']]);
  const made = await self.call('POST', '/api-keys', { body });
  const call = edge.caller(String(made.body['key']));
  const from = async (address: string) => (await call('GET', '/v1/account', { from: address })).body.error?.code;
  expect([await from('127.9.3.4'), await from('127.8.0.1'), await from('127.8.0.2')]).toEqual([undefined, undefined, 'invalid_api_key']);
  expect(code(await self.call('PATCH', `/api-keys/${String(made.body['id'])}`, { body: { allowed_ips: null } }))).toBe('200');
  expect(await from('127.8.0.2')).toBeUndefined();
});

test('a password is of 12 to 128 characters, not the e-mail, and none that many use', async () => {
  const email = 'a.long.address@example.com';
  const { self } = await owner(email);
  const set = async (password: string): Promise<string> =>
    code(await self.call('PATCH', '/me', { body: { password: { current: PASSWORD, new: password } } }));
  for (const password of ['Short-one-1', 'x'.repeat(129), email.toUpperCase(), 'QWERTY123456'])
    expect([password, await set(password)]).toEqual([password, '422 validation_error']);
  expect(await set('x'.repeat(12))).toBe('200');
});
