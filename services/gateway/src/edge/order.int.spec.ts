import type { Grant } from '@svc/contracts/account/vocabulary';
import { connect } from 'node:net';
import { createKey } from '../keys/create-key.ts';
import { type Answer, type Call, EdgeApp, ways } from '../testing/edge-app.ts';

const KIB = 1024;
describe.each(ways)('%s', (way) => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await EdgeApp.start({}, way);
  });
  afterAll(() => edge.stop());

  const code = ({ status, body }: Answer): string => `${status} ${body.error?.code ?? ''}`;
  /** A caller of the account with exactly these permissions. */
  async function restricted(account: string, permissions: Grant[]): Promise<Call> {
    const { accounts } = edge.gateway;
    const { value } = await createKey(
      accounts,
      { account, env: 'test', name: 'restricted', permissions, expiresAt: null },
      { actor: { type: 'system', id: 'test' } },
    );
    return edge.caller(value);
  }
  let last = 0;
  const ownAddress = (): string => `127.9.${(last += 1)}.1`;
  const anyBody = { raw: '{' };
  const text = { 'content-type': 'text/plain' };

  describe('the order of checks', () => {
    test('a key before everything else', async () => {
      const from = ownAddress();
      for (const [method, path] of [
        ['GET', '/v1/customers'],
        ['GET', '/v1/nothing'],
        ['DELETE', '/v1/customers'],
        ['OPTIONS', '/v1/customers'],
        ['GET', '/v1/customers?bogus=1'],
      ] as const) {
        expect(code(await edge.caller()(method, path, { from }))).toBe('401 invalid_api_key');
      }
      expect(code(await edge.caller()('POST', '/v1/customers', { from, ...anyBody }))).toBe('401 invalid_api_key');
    });

    test('limits before path, method, permission, body and query', async () => {
      const { id, call } = await edge.account({ limits: { plan: 2, burst: 100 } });
      const other = await restricted(id, ['reports:read']);
      await Promise.all([call('GET', '/v1/account'), call('GET', '/v1/account')]);
      for (const answer of [
        await call('GET', '/v1/nothing'),
        await call('DELETE', '/v1/customers'),
        await other('GET', '/v1/customers'),
        await call('POST', '/v1/customers', anyBody),
        await call('GET', '/v1/customers?bogus=1'),
      ]) {
        expect(code(answer)).toBe('429 rate_limit_exceeded');
        expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0', 'retry-after': '60' });
      }
    });

    test('path and method before permission and body', async () => {
      const { id } = await edge.account();
      const call = await restricted(id, ['reports:read']);
      expect(code(await call('GET', '/v1/nothing'))).toBe('404 not_found');
      expect(code(await call('POST', '/v1/nothing', anyBody))).toBe('404 not_found');
      expect(code(await call('PUT', '/v1/customers', { raw: 'x', headers: text }))).toBe('405 method_not_allowed');
      expect(code(await call('OPTIONS', '/v1/customers'))).toBe('405 method_not_allowed');
    });

    test('a route that no service serves is an unknown path', async () => {
      const { call } = await edge.account();
      expect(code(await call('POST', '/v1/webhooks/we_1/test'))).toBe('404 not_found');
    });

    test('405 lists the served methods in Allow', async () => {
      const { call } = await edge.account();
      expect((await call('DELETE', '/v1/customers')).headers['allow']).toBe('GET, HEAD, POST');
      expect((await call('GET', '/v1/customers/batch')).headers['allow']).toBe('POST');
    });

    test('permission before size, type, JSON, query and resource; the message names it', async () => {
      const { id } = await edge.account();
      const call = await restricted(id, ['customers:read']);
      for (const sent of [{ raw: ' '.repeat(256 * KIB + 1) }, { raw: 'x', headers: text }, anyBody, { body: {} }]) {
        const answer = await call('POST', '/v1/customers', sent);
        expect(code(answer)).toBe('403 insufficient_permissions');
        expect(answer.body.error?.message).toContain('customers:write');
      }
      expect(code(await (await restricted(id, ['*']))('GET', '/v1/customers'))).toBe('200 ');
    });

    test('size before type before JSON before query before idempotency before schema', async () => {
      const { call } = await edge.account();
      const send = (sent: Parameters<Call>[2], path = '/v1/customers?bogus=1') => call('POST', path, sent);
      expect(code(await send({ raw: `x${' '.repeat(256 * KIB)}`, headers: text }))).toBe('413 payload_too_large');
      expect(code(await send({ raw: '{', headers: text }))).toBe('415 unsupported_media_type');
      expect(code(await send({ raw: '{' }))).toBe('400 invalid_request');
      expect(code(await send({ body: { nonsense: 1 }, headers: { 'idempotency-key': 'k'.repeat(256) } }))).toBe('400 invalid_request');
      const headers = { 'idempotency-key': 'order' };
      expect((await send({ body: { name: 'x' }, headers }, '/v1/customers')).status).toBe(201);
      expect(code(await send({ body: { nonsense: 1 }, headers }))).toBe('400 invalid_request');
      expect(code(await send({ body: { nonsense: 1 }, headers }, '/v1/customers'))).toBe('409 idempotency_key_reused');
      expect(code(await send({ body: { nonsense: 1 } }, '/v1/customers'))).toBe('422 validation_error');
    });

    test('an unknown query parameter is named; page and per_page are numbers with their defaults', async () => {
      const { call } = await edge.account();
      const refused = await call('GET', '/v1/customers?colour=red');
      expect(refused.body.error).toMatchObject({ code: 'invalid_request', details: { colour: expect.any(Array) } });
      expect((await call('GET', '/v1/customers')).body).toMatchObject({ query: { page: 1, per_page: 20 } });
      expect((await call('GET', '/v1/customers?page=3&deleted=all')).body).toMatchObject({
        query: { page: 3, per_page: 20, deleted: 'all' },
      });
      for (const query of ['page=0', 'per_page=101', 'page=1.5', 'page=']) {
        expect(code(await call('GET', `/v1/customers?${query}`))).toBe('400 invalid_request');
      }
    });

    test('a suspended account gets 403 at every known route, and 404 at unknown ones', async () => {
      const { id, call } = await edge.account();
      const { store } = edge.gateway.accounts;
      await store.accounts.claim({ _id: id }, { set: { suspended: true } });
      expect(code(await call('GET', '/v1/account'))).toBe('403 account_suspended');
      expect(code(await call('GET', '/v1/nothing'))).toBe('404 not_found');
    });
  });

  describe('the edge cannot be bypassed', () => {
    test('other spellings of a path are the same route', async () => {
      const from = ownAddress();
      for (const path of ['/%761/customers', '/v1/%63ustomers', '/v1/customers/', '/v1/customers?', 'http://other/v1/customers']) {
        expect(code(await edge.caller()('GET', path, { from }))).toBe('401 invalid_api_key');
      }
      const { id } = await edge.account();
      const call = await restricted(id, ['customers:write']);
      for (const path of ['/v1/%63ustomers', '/%761/customers', '/v1/customers/'])
        expect(code(await call('GET', path))).toBe('403 insufficient_permissions');
    });

    test('fixed segments have precedence over parameters when a route is below them', async () => {
      const { call } = await edge.account();
      expect((await call('POST', '/v1/invoices/batch/submit', { body: { ids: ['inv_1'] } })).body).toMatchObject({ submitted: 1 });
      expect((await call('POST', '/v1/invoices/inv_1/submit')).status).toBe(200);
      expect(code(await call('POST', '/v1/invoices//submit'))).toBe('404 not_found');
    });

    test('HEAD has the headers of GET and no body', async () => {
      const { call } = await edge.account();
      const answer = await call('HEAD', '/v1/customers');
      expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([200, '', 'application/json; charset=utf-8']);
      expect((await call('HEAD', '/v1/nothing')).status).toBe(404);
    });

    test('a handler gets the identity of the caller', async () => {
      const { id, call } = await edge.account();
      const answer = await call('POST', '/v1/invoices/inv_1/submit', {
        headers: { 'x-request-id': 'mine', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
      });
      const requestId = answer.headers['x-request-id'] ?? '';
      expect(requestId).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
      expect(answer.body['identity']).toMatchObject({
        account: id,
        env: 'test',
        livemode: false,
        permissions: ['*'],
        actor: { type: 'api_key' },
        requestId,
      });
      expect(answer.body['identity']).toMatchObject({
        commandId: requestId.slice(4),
        traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      });
    });
  });

  describe('headers of every answer under /v1', () => {
    const guarded = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

    test('forbid caching and type sniffing: resources, lists, errors, replays', async () => {
      const { call } = await edge.account();
      const key = { 'idempotency-key': 'guarded' };
      const answers = [
        await call('POST', '/v1/customers', { body: { name: 'x' }, headers: key }),
        await call('POST', '/v1/customers', { body: { name: 'x' }, headers: key }),
        await call('GET', '/v1/account', { headers: { 'if-none-match': '*' } }),
        await call('GET', '/v1/api-keys'),
        await call('GET', '/v1/nothing'),
        await call('POST', '/v1/customers', anyBody),
        await edge.caller()('GET', '/v1/account', { from: ownAddress() }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 200, 404, 400, 401]);
      for (const { headers } of answers) expect(headers).toMatchObject(guarded);
    });
  });

  test('a client that expects 100-continue is asked for its body', async () => {
    const { testKey } = await edge.account();
    const head = `POST /v1/customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\nContent-Type: application/json\r\n`;
    const answer = await new Promise<string>((resolve, reject) => {
      let got = '';
      const line = connect({ host: '127.0.0.1', port: edge.port }, () =>
        line.write(`${head}Expect: 100-continue\r\nContent-Length: 12\r\nConnection: close\r\n\r\n`),
      );
      line.on('data', (chunk) => {
        got += chunk.toString();
        if (got === 'HTTP/1.1 100 Continue\r\n\r\n') line.write('{"name":"x"}');
      });
      line.on('error', reject).on('close', () => resolve(got));
    });
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
  });

  describe('malformed requests', () => {
    const socket = (bytes: string, from: string): Promise<string> =>
      new Promise((resolve, reject) => {
        let answer = '';
        const line = connect({ host: '127.0.0.1', port: edge.port, localAddress: from }, () => line.write(bytes));
        line.on('data', (chunk) => {
          answer += chunk.toString();
          if (/\r\n\r\n\{.*\}/s.test(answer)) line.destroy();
        });
        line.on('error', reject).on('close', () => resolve(answer));
      });

    test('a malformed URL is 400 with a key and counts, 401 without', async () => {
      const { testKey, call } = await edge.account({ limits: { plan: 10, burst: 10 } });
      for (const path of ['/v1/%zz', '/v1/customers/%E0%A4%A']) {
        expect(await socket(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\n\r\n`, '127.0.0.1')).toMatch(
          /^HTTP\/1.1 400 [^]*x-ratelimit-limit: 10\r\n[^]*"invalid_request"/,
        );
      }
      expect((await call('GET', '/v1/account')).headers['x-ratelimit-remaining']).toBe('7');
      expect(await socket('GET /v1/%zz HTTP/1.1\r\nHost: x\r\n\r\n', ownAddress())).toMatch(/^HTTP\/1.1 401 [^]*x-ratelimit-limit: 60\r\n/);
    });

    test.each([
      ['a header without a colon', 'GET /v1/customers HTTP/1.1\r\nHost: x\r\nBroken header\r\n\r\n'],
      ['no request line', 'HELLO\r\n\r\n'],
      ['no Host', 'GET /v1/customers HTTP/1.1\r\n\r\n'],
      ['two Hosts', 'GET /v1/customers HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
      ['a Host that is none', 'GET /docs HTTP/1.1\r\nHost: x/y\r\n\r\n'],
      ['an unknown expectation', 'POST /v1/customers HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nContent-Length: 2\r\n\r\n'],
      ['a header that is too long', `GET /v1/customers HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100 * KIB)}\r\n\r\n`],
    ])('%s is 400 in the envelope with the headers of ip', async (_what, bytes) => {
      const from = ownAddress();
      const answer = await socket(bytes, from);
      const id = /x-request-id: (req_\w{26})/.exec(answer)?.[1];
      expect(answer).toMatch(/^HTTP\/1.1 400 [^]*x-ratelimit-limit: 60\r\nx-ratelimit-remaining: 59\r\n/);
      expect(answer).toMatch(/\r\ncache-control: no-store\r\n[^]*\r\nconnection: close\r\n[^]*"code":"invalid_request"/i);
      expect(answer).toContain(`"request_id":"${id}"`);
      expect((await edge.caller()('GET', '/v1/customers', { from })).headers['x-ratelimit-remaining']).toBe('58');
    });
  });
});
