import { type Answer, EdgeApp, ways } from '../testing/edge-app.ts';

/** What is answered to mistakes of a first hour. */
describe.each(ways)('%s', (way) => {
  let edge: EdgeApp;
  beforeAll(async () => {
    const hosts = new Map([
      ['api.test', 'live'],
      ['sandbox.test', 'sandbox'],
    ] as const);
    edge = await EdgeApp.start({ hosts }, way);
  });
  afterAll(() => edge.stop());

  const messageOf = ({ body }: Answer): string => body.error?.message ?? '';

  test('no key, an unreadable one, two keys, one of the other host and one of nobody each say so', async () => {
    const { testKey, liveKey } = await edge.account();
    const mistyped = testKey.slice(0, 20) + (testKey[20] === 'a' ? 'b' : 'a') + testKey.slice(21);
    const ask = async (headers: Record<string, string>): Promise<string> => {
      const answer = await edge.caller()('GET', '/v1/account', { headers });
      expect([answer.status, answer.body.error?.code]).toEqual([401, 'invalid_api_key']);
      expect(answer.text).not.toContain(testKey.slice(12));
      return messageOf(answer);
    };
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
    expect(await ask({})).toContain('No API key was sent');
    expect(await ask({ authorization: `Basic ${testKey}` })).toContain('no bearer token');
    expect(await ask(bearer('hello'))).toContain('no API key');
    expect(await ask(bearer(mistyped))).toContain('typing error');
    expect(await ask({ ...bearer(testKey), 'x-api-key': liveKey })).toContain('Two keys');
    expect(await ask({ ...bearer(testKey), host: 'api.test' })).toContain('live keys alone');
    expect(await ask({ ...bearer(liveKey), host: 'sandbox.test' })).toContain('test keys alone');
  });

  test('a key of nobody is answered as one that was revoked, also at a host that would not take it', async () => {
    const { testKey, call } = await edge.account();
    const other = await EdgeApp.start();
    const { testKey: unknown } = await other.account();
    await other.stop();
    const { id } = ((await call('GET', '/v1/api-keys')).body['data'] as { id: string }[])[0] as { id: string };
    const at = (key: string, host: string) => edge.caller(key)('GET', '/v1/account', { headers: { host } });
    const answers = [await at(unknown, 'elsewhere.test'), await at(unknown, 'api.test')];
    await call('DELETE', `/v1/api-keys/${id}`);
    expect([await at(testKey, 'elsewhere.test'), await at(testKey, 'api.test')].map(messageOf)).toEqual(answers.map(messageOf));
    expect(answers.map(messageOf)).toEqual([expect.stringContaining('was revoked'), expect.stringContaining('live keys alone')]);
  });

  test('a path without /v1, or with it twice, leads to the path, without a key and with one', async () => {
    const { call } = await edge.account();
    for (const [caller, path, meant] of [
      [edge.caller(), '/customers', '/v1/customers'],
      [call, '/customers/cust_1?x=1', '/v1/customers/{id}'],
      [call, '/api/v1/customers', '/v1/customers'],
      [call, '/v1/v1/customers', '/v1/customers'],
    ] as const) {
      const answer = await caller('GET', path);
      expect([answer.status, messageOf(answer)]).toEqual([404, `There is nothing at this path. Did you mean ${meant}?`]);
    }
    expect(messageOf(await call('GET', '/nothing'))).not.toContain('meant');
  });

  test('POST /v1/api-keys says where keys are made', async () => {
    const { call } = await edge.account();
    const answer = await call('POST', '/v1/api-keys', { body: { name: 'x' } });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
    expect(messageOf(answer)).toMatch(/dashboard.*svc admin keys create/);
    expect(messageOf(await call('DELETE', '/v1/customers'))).not.toContain('dashboard');
  });

  test('a 429 names the limits that have no room, in details, for programs and in words', async () => {
    const limits = { plan: 3_000, burst: 100, submit: 2, receipts: 100, reports: 1 };
    const { call } = await edge.account({ limits });
    const beyond = async (times: number, method: string, path: string): Promise<Answer> => {
      for (let n = 0; n < times; n += 1) await call(method, path);
      return call(method, path);
    };
    const issue = (limit: string, max: number, seconds = 60) => ({ field: 'limit', rule: 'rate_limit', params: { limit, max, seconds } });
    expect((await beyond(2, 'POST', '/v1/invoices/inv_1/submit')).body.error).toMatchObject({
      code: 'rate_limit_exceeded',
      message: 'Too many requests: submit: 2 a minute for the account, all keys together. Try again in 60 s.',
      details: { limit: ['submit'] },
      issues: [issue('submit', 2)],
    });
    expect((await beyond(1, 'GET', '/v1/reports/sales')).body.error).toMatchObject({ details: { limit: ['reports'] } });
    const all = await Promise.all(Array.from({ length: 150 }, () => call('GET', '/v1/account')));
    expect(all.find(({ status }) => status === 429)?.body.error).toMatchObject({
      message: expect.stringContaining('burst: 100 at once and 3000 a minute for the account'),
      issues: [issue('burst', 100, 2)],
    });
    const problem = await call('POST', '/v1/invoices/inv_1/submit', { headers: { accept: 'application/problem+json' } });
    expect(problem.body).toMatchObject({
      status: 429,
      details: { limit: ['submit', 'burst'] },
      issues: [issue('submit', 2), issue('burst', 100, 2)],
    });
    const from = '127.7.7.7';
    for (let n = 0; n < 60; n += 1) await edge.caller()('GET', '/v1/account', { from });
    const byAddress = await edge.caller()('GET', '/v1/account', { from });
    expect(byAddress.body.error).toMatchObject({ message: expect.stringContaining('ip: 60 a minute'), details: { limit: ['ip'] } });
  });
});
