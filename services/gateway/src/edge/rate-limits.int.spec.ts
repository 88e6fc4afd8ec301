import { type Answer, type Call, EdgeApp, ways } from '../testing/edge-app.ts';

describe.each(ways)('%s', (way) => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await EdgeApp.start({}, way);
  });
  afterAll(() => edge.stop());

  const many = (times: number, call: Call, method = 'GET', path = '/v1/account'): Promise<Answer[]> =>
    Promise.all(Array.from({ length: times }, () => call(method, path)));
  const count = (answers: Answer[], status: number): number => answers.filter((answer) => answer.status === status).length;
  const shown = ({ headers }: Answer): (number | undefined)[] =>
    ['limit', 'remaining', 'reset'].map((name) => Number(headers[`x-ratelimit-${name}`]));
  const big = { plan: 1_000_000, burst: 100_000 };
  let last = 0;
  const ownAddress = (): string => `127.8.${(last += 1)}.1`;

  describe('limits over HTTP', () => {
    test('of 200 concurrent requests the plan admits exactly its number, over all keys and for each environment', async () => {
      const { call, liveKey } = await edge.account({ limits: { ...big, plan: 50 } });
      const answers = await many(200, call);
      expect([count(answers, 200), count(answers, 429)]).toEqual([50, 150]);
      const left = answers.filter(({ status }) => status === 200).map((answer) => shown(answer)[1]);
      expect(left.sort((a = 0, b = 0) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n));
      expect((await edge.caller(liveKey)('GET', '/v1/account')).status).toBe(200);
    });

    test('the headers name every limit of the request and show the window with the fewest left', async () => {
      const { call } = await edge.account({ plan: 'free', limits: null });
      const end = Math.ceil((edge.clock.now() + 60_000) / 1000);
      const account = await call('GET', '/v1/account');
      expect(account.headers).toMatchObject({
        'ratelimit-policy': '"plan";q=60;w=60, "burst";q=10;w=10',
        ratelimit: '"plan";r=59;t=60, "burst";r=9;t=1',
      });
      expect(shown(account)).toEqual([60, 59, end]);
      const report = await call('GET', '/v1/reports/sales');
      expect(report.headers['ratelimit-policy']).toBe('"plan";q=60;w=60, "burst";q=10;w=10, "reports";q=5;w=60');
      expect(report.headers['ratelimit']).toBe('"plan";r=58;t=60, "reports";r=4;t=60, "burst";r=8;t=2');
      expect(shown(report)).toEqual([5, 4, end]);
    });

    test('a rejection by burst names the time of the next token and consumes nothing of the plan', async () => {
      const { call } = await edge.account({ plan: 'free', limits: null });
      expect(count(await many(25, call), 200)).toBe(10);
      const refused = await call('GET', '/v1/account');
      expect(shown(refused)).toEqual([60, 0, Math.ceil((edge.clock.now() + 1000) / 1000)]);
      expect(refused.headers['retry-after']).toBe('1');
      await edge.clock.advance(1000);
      expect(shown(await call('GET', '/v1/account'))[1]).toBe(49);
    });

    test('batch/submit counts its ids once the body is read, all or none', async () => {
      const { call } = await edge.account({ limits: big });
      const submit = (n: number) =>
        call('POST', '/v1/invoices/batch/submit', { body: { ids: Array.from({ length: n }, (_, i) => `inv_${i}`) } });
      expect(shown(await submit(7)).slice(0, 2)).toEqual([10, 3]);
      expect((await submit(4)).status).toBe(429);
      expect((await submit(3)).status).toBe(200);
      expect((await call('POST', '/v1/invoices/inv_1/submit')).status).toBe(429);
      expect((await submit(0)).body.error?.code).toBe('validation_error');
    });

    test('batch/submit of more ids than a window ever admits is 422 with the most, and costs no submission', async () => {
      const of = async (limits: object, n: number) => {
        const { call } = await edge.account({ limits: { ...big, ...limits } });
        const ids = Array.from({ length: n }, (_, i) => `inv_${i}`);
        const { status, body, headers } = await call('POST', '/v1/invoices/batch/submit', { body: { ids } });
        return [
          status,
          (body.error?.details as Record<string, string[]> | undefined)?.['ids'],
          headers['retry-after'],
          shown(await call('POST', '/v1/invoices/inv_1/submit'))[1],
        ];
      };
      const most = (n: number) => [expect.stringContaining(`at most ${n} `)];
      expect(await of({}, 11)).toEqual([422, most(10), undefined, 9]);
      expect(await of({ submit: 3 }, 5)).toEqual([422, most(3), undefined, 2]);
      expect((await of({ submit: 3 }, 3))[0]).toBe(200);
    });

    const batchOf = (items: number, headers = {}) => ({
      headers,
      body: { requests: Array.from({ length: items }, () => ({ name: 'Ana' })) },
    });

    test('every ten items of a batch, rounded up, count on the plan, and a batch is one of the burst', async () => {
      const { call } = await edge.account({ limits: { ...big, plan: 100, burst: 90 } });
      const left = async (items: number) => {
        const { status, headers } = await call('POST', '/v1/customers/batch', batchOf(items));
        return [status, Number(headers['x-ratelimit-remaining']), /"burst";r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]];
      };
      expect([await left(1), await left(10), await left(11), await left(100)]).toEqual([
        [200, 99, '89'],
        [200, 98, '88'],
        [200, 96, '87'],
        [200, 86, '86'],
      ]);
    });

    test('a batch that the plan has no room for does nothing and costs nothing', async () => {
      const { call } = await edge.account({ limits: { ...big, plan: 14 } });
      await call('POST', '/v1/customers/batch', batchOf(100));
      const before = edge.work.commands.length;
      const refused = await call('POST', '/v1/customers/batch', batchOf(50));
      expect([refused.status, ...shown(refused).slice(0, 2)]).toEqual([429, 14, 0]);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(edge.work.commands.length).toBe(before);
      expect(shown(await call('POST', '/v1/customers/batch', batchOf(20)))[1]).toBe(2);
    });

    test('a batch of more items than the plan ever admits is 422 with the most', async () => {
      const { call } = await edge.account({ limits: { ...big, plan: 5, submit: 1_000 } });
      const many = await call('POST', '/v1/customers/batch', batchOf(51));
      expect([many.status, many.body.error?.details, many.headers['retry-after']]).toEqual([
        422,
        { requests: [expect.stringContaining('at most 50 ')] },
        undefined,
      ]);
      const ids = Array.from({ length: 51 }, (_, n) => `inv_${n}`);
      const submitted = await call('POST', '/v1/invoices/batch/submit', { body: { ids } });
      expect([submitted.status, submitted.body.error?.details]).toEqual([422, { ids: [expect.stringContaining('at most 50 ')] }]);
    });

    test('submissions of a batch count on the plan as its items do', async () => {
      const { call } = await edge.account({ limits: { ...big, plan: 100, submit: 1_000 } });
      const ids = Array.from({ length: 25 }, (_, n) => `inv_${n}`);
      const { headers } = await call('POST', '/v1/invoices/batch/submit', { body: { ids } });
      expect(headers['ratelimit']).toMatch(/^"plan";r=97;t=60, "submit";r=975;t=60/);
    });

    test('a replay of a batch costs one request, and one that was refused runs under its key later', async () => {
      const { call } = await edge.account({ limits: { ...big, plan: 12 } });
      const keyed = batchOf(100, { 'idempotency-key': 'batch' });
      const later = batchOf(50, { 'idempotency-key': 'later' });
      const statuses = [];
      for (const asked of [keyed, keyed, later]) statuses.push((await call('POST', '/v1/customers/batch', asked)).status);
      expect(statuses).toEqual([200, 200, 429]);
      await edge.clock.advance(60_000);
      const answer = await call('POST', '/v1/customers/batch', later);
      expect([answer.status, answer.headers['idempotent-replayed'], shown(answer)[1]]).toEqual([200, undefined, 7]);
    });

    test('unknown paths, wrong methods, errors, HEAD and replays count', async () => {
      const { call } = await edge.account({ limits: { ...big, plan: 20 } });
      const replayed = { body: { name: 'x' }, headers: { 'idempotency-key': 'counts' } };
      const answers = [
        await call('GET', '/v1/nothing'),
        await call('DELETE', '/v1/customers'),
        await call('GET', '/v1/customers?bogus=1'),
        await call('POST', '/v1/customers', { raw: '{' }),
        await call('HEAD', '/v1/customers'),
        await call('POST', '/v1/customers', replayed),
        await call('POST', '/v1/customers', replayed),
      ];
      expect(answers.map((answer) => shown(answer)[1])).toEqual([19, 18, 17, 16, 15, 14, 13]);
    });

    test('an address has 60 requests without a valid key, then 429; a valid key from it is not affected', async () => {
      const from = ownAddress();
      const { testKey } = await edge.account();
      const nobody = edge.caller('svc_test_nobody');
      const first = await nobody('GET', '/v1/customers', { from });
      expect([first.status, ...shown(first).slice(0, 2), first.headers['ratelimit-policy'], first.headers['ratelimit']]).toEqual([
        401,
        60,
        59,
        '"ip";q=60;w=60',
        '"ip";r=59;t=60',
      ]);
      const answers = await Promise.all(Array.from({ length: 100 }, () => nobody('GET', '/v1/nothing', { from })));
      expect([count(answers, 401), count(answers, 429)]).toEqual([59, 41]);
      expect((await edge.caller(testKey)('GET', '/v1/account', { from })).status).toBe(200);
      expect((await nobody('GET', '/v1/customers', { from: ownAddress() })).status).toBe(401);
    });

    test('behind a trusted proxy the address is the caller’s, not the proxy’s', async () => {
      const from = ownAddress();
      const ask = (forwarded: string) => edge.caller()('GET', '/v1/customers', { from, headers: { 'x-forwarded-for': forwarded } });
      expect(shown(await ask('203.0.113.7'))[1]).toBe(59);
      expect(shown(await ask('198.51.100.1, 203.0.113.7'))[1]).toBe(58);
      expect(shown(await ask('203.0.113.8'))[1]).toBe(59);
      expect(shown(await ask('2001:db8:1:2::7'))[1]).toBe(59);
      expect(shown(await ask('2001:db8:1:2:ffff::8'))[1]).toBe(58);
    });
  });

  describe('https and hosts', () => {
    const hosts = new Map([['api.test', 'live'] as const, ['sandbox.test', 'sandbox'] as const]);
    let strict: EdgeApp;
    beforeAll(async () => {
      strict = await EdgeApp.start({ requireHttps: true, hosts });
    });
    afterAll(() => strict.stop());

    test('http is 400 before authentication, shows the limit of the address and counts nothing', async () => {
      const { call } = await strict.account();
      for (const ask of [call, strict.caller()]) {
        const answer = await ask('GET', '/v1/account', { headers: { 'x-forwarded-proto': 'http' } });
        expect([answer.status, answer.body.error?.code, ...shown(answer).slice(0, 2)]).toEqual([400, 'https_required', 60, 60]);
      }
      for (const headers of [{}, { 'x-forwarded-proto': 'https' }] as Record<string, string>[])
        expect((await call('GET', '/v1/account', { headers })).status).toBe(200);
    });

    test('forwarding headers count only from a trusted proxy', async () => {
      const distrustful = await EdgeApp.start({ requireHttps: true, trustedProxies: ['10.0.0.0/8'] });
      const { call } = await distrustful.account();
      const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-for': '203.0.113.7' };
      expect((await call('GET', '/v1/account', { headers })).status).toBe(200);
      await distrustful.stop();
    });

    test('a configured host accepts only keys of its environment, other hosts accept both', async () => {
      const { testKey, liveKey } = await strict.account();
      const ask = async (host: string, key: string) => (await strict.caller(key)('GET', '/v1/account', { headers: { host } })).status;
      expect([await ask('api.test', liveKey), await ask('API.test:8443', testKey)]).toEqual([200, 401]);
      expect([await ask('sandbox.test', testKey), await ask('sandbox.test', liveKey)]).toEqual([200, 401]);
      expect([await ask('elsewhere.test', testKey), await ask('elsewhere.test', liveKey)]).toEqual([200, 200]);
    });
  });
});
