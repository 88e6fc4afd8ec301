import { connect } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastifyOf, internalKeys } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { code } from '../testing/call.ts';
import { ProxySystem } from '../testing/proxy-system.ts';
import { httpAnswer } from '../testing/raw-upstream.ts';
import { made, type Work } from '../testing/stub-service.ts';

let system: ProxySystem;
beforeEach(() => void (system = new ProxySystem()));
afterEach(() => system.stop());

const newWork = (run: Work['run'] = made): Work => ({ commands: [], run });
const customer = { body: { name: 'Ana' } };
/** Records the requests that an upstream receives. */
const into =
  (seen: FastifyRequest[]) =>
  (app: NestFastifyApplication): void =>
    void fastifyOf(app).addHook('preHandler', async (request) => void seen.push(request));

describe('an upstream gets', () => {
  test('only headers that describe the request: neither the caller’s key nor a forged identity', async () => {
    const seen: FastifyRequest[] = [];
    const upstream = await system.stub(newWork(), { prepare: into(seen) });
    const { account } = await system.gateway([upstream.origin]);
    const { id, call } = await account();
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const described = { prefer: 'wait=1', 'if-match': '"3"', 'accept-language': 'sq', accept: 'application/json' };
    const not = {
      ...{ 'x-svc-identity': 'a.b.c', cookie: 'a=b', 'x-forwarded-for': '1.2.3.4', 'x-request-id': 'mine' },
      ...{ connection: 'close, x-secret', 'x-secret': '1', te: 'trailers', expect: '100-continue' },
    };
    const answer = await call('POST', '/v1/customers', { ...customer, headers: { ...described, ...not, traceparent } });
    expect(answer.status).toBe(201);
    const [request] = seen as [FastifyRequest];
    const { 'x-svc-identity': token, host, connection, 'content-length': length, ...rest } = request.headers;
    expect(rest).toEqual({ ...described, 'content-type': 'application/json', traceparent, 'x-svc-signs': '1' });
    expect([token === 'a.b.c', host, connection, length]).toEqual([false, upstream.origin.slice(7), 'keep-alive', '14']);
    expect(request.identity).toMatchObject({ account: id, requestId: answer.headers['x-request-id'], traceparent });
  });

  test('the unchanged body and URL', async () => {
    const seen: FastifyRequest[] = [];
    const upstream = await system.stub(newWork(), { prepare: into(seen) });
    const { call } = await (await system.gateway([upstream.origin])).account();
    const text = ' {"name": "A\\u006ea  ",\n"metadata":{"n":"1"}}';
    await call('POST', '/v1/customers', { raw: text });
    await call('GET', '/v1/%63ustomers/?q=A%2BB&per_page=7');
    await call('GET', 'http://elsewhere:80/v1/customers?page=2');
    expect(seen.map(({ rawBody, raw: { url } }) => [rawBody?.toString(), url])).toEqual([
      [text, '/v1/customers'],
      [undefined, '/v1/%63ustomers/?q=A%2BB&per_page=7'],
      [undefined, '/v1/customers?page=2'],
    ]);
    expect(seen[1]?.query).toEqual({ q: 'A+B', per_page: 7, page: 1 });
  });

  test('no request that the gateway rejects', async () => {
    const work = newWork();
    const upstream = await system.stub(work);
    const { call } = await (await system.gateway([upstream.origin])).account();
    const wrong = [{ raw: '{' }, { raw: `"${'x'.repeat(300 * 1024)}"` }, { raw: 'x', headers: { 'content-type': 'text/plain' } }];
    for (const sent of [...wrong, { ...customer, headers: { 'if-match': 'x' } }])
      expect([400, 413, 415]).toContain((await call('POST', '/v1/customers', sent)).status);
    expect(work.commands).toEqual([]);
  });

  test.each(['a\x7fb', '\x80', 'a\tb', '"\\"', ''])('a header that HTTP hardly allows (%j), or it is 400', async (accept) => {
    const upstream = await system.stub(newWork());
    const { account, port } = await system.gateway([upstream.origin]);
    const { testKey } = await account();
    const head = `GET /v1/customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`;
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(head, 'latin1'));
      socket.on('data', (chunk) => (text += chunk.toString())).on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1.1 (200|400) /);
  });
});

describe('a caller gets', () => {
  test('the unchanged response of the upstream, with the request id and limits of the edge', async () => {
    const upstream = await system.raw((socket) =>
      socket.write(
        httpAnswer('201 Created', '{"id":"cust_1"}', [
          ...['ETag: "4"', 'Preference-Applied: wait=2', 'X-Future: yes', 'X-Request-Id: req_forged', 'Date: yesterday'],
          ...['Connection: keep-alive, x-hop', 'Keep-Alive: timeout=9', 'X-RateLimit-Limit: 7'],
        ]),
      ),
    );
    const { call } = await (await system.gateway([upstream.origin])).account();
    const { status, text, headers } = await call('POST', '/v1/customers', customer);
    expect([status, text]).toEqual([201, '{"id":"cust_1"}']);
    expect(headers).toMatchObject({ etag: '"4"', 'preference-applied': 'wait=2', 'x-future': 'yes', 'content-type': 'application/json' });
    expect(headers['x-request-id']).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(headers['x-ratelimit-limit']).not.toBe('7');
    expect([headers['date'] === 'yesterday', headers['keep-alive']]).toEqual([false, undefined]);
  });

  test('the upstream’s errors in the form that Accept names, with the request id of the header', async () => {
    const upstream = await system.stub(newWork());
    const { call } = await (await system.gateway([upstream.origin])).account();
    const missing = await call('GET', '/v1/customers/cust_1');
    expect([code(missing), missing.body.error?.request_id]).toEqual(['404 not_found', missing.headers['x-request-id']]);
    const problem = await call('POST', '/v1/customers', { body: { nonsense: 1 }, headers: { accept: 'application/problem+json' } });
    expect([problem.status, problem.headers['content-type']]).toEqual([422, 'application/problem+json; charset=utf-8']);
    expect(problem.body['request_id']).toBe(problem.headers['x-request-id']);
  });

  test('HEAD without a body, with the length of that of GET', async () => {
    const upstream = await system.stub(newWork());
    const { call } = await (await system.gateway([upstream.origin])).account();
    const [head, get] = [await call('HEAD', '/v1/customers'), await call('GET', '/v1/customers')];
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', get.headers['content-length']]);
  });

  test('503, not 401, when the upstream rejects the gateway’s identity token', async () => {
    const keys = internalKeys(`k1:${Buffer.alloc(32, 8).toString('base64')}`);
    const upstream = await system.stub(newWork(), { keys });
    const other = await system.stub(newWork(), { audience: 'reporting' });
    const { call } = await (await system.gateway([upstream.origin, other.origin])).account();
    for (let n = 0; n < 2; n += 1) expect(code(await call('GET', '/v1/customers'))).toBe('503 service_unavailable');
  });

  test('404 for a path that no service serves, and Allow with the served methods', async () => {
    const { call } = await (await system.gateway([await system.unreachable()])).account();
    expect(code(await call('POST', '/v1/nothing'))).toBe('404 not_found');
    expect((await call('PUT', '/v1/customers/cust_1')).headers['allow']).toBe('DELETE, GET, HEAD, PATCH');
  });
});

describe('links of files', () => {
  const file = httpAnswer('200 OK', '{"a":"file"}', ['Content-Disposition: inline; filename="a.xml"', 'Cache-Control: private, no-store']);

  test('are opened by the service that they name, without a key or identity, unchanged', async () => {
    const upstream = await system.raw((socket) => socket.write(file));
    const { caller } = await system.gateway([upstream.origin]);
    const answer = await caller()('GET', '/files/invoicing.a-b.c_d', { headers: { 'x-svc-identity': 'a.b.c', authorization: 'Bearer x' } });
    expect([answer.status, answer.text]).toEqual([200, '{"a":"file"}']);
    expect(answer.headers).toMatchObject({ 'content-disposition': 'inline; filename="a.xml"', 'cache-control': 'private, no-store' });
    expect(answer.headers['x-ratelimit-limit']).toBe('120');
    expect(upstream.requests.join()).toMatch(/^GET \/files\/invoicing\.a-b\.c_d HTTP/);
    expect(upstream.requests.join()).not.toMatch(/x-svc-identity|authorization/i);
  });

  test('of an unknown service are 404 here; an error has the request id of its header', async () => {
    const upstream = await system.stub(newWork());
    const { caller } = await system.gateway([upstream.origin]);
    for (const path of ['/files/webhooks-dispatcher.a.b', '/files/a.b', '/files/invoicing.a.b']) {
      const answer = await caller()('GET', path);
      expect([code(answer), answer.body.error?.request_id]).toEqual(['404 not_found', answer.headers['x-request-id']]);
    }
  });
});
