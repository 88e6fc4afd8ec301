import { connect } from 'node:net';
import { Controller, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Conflict, Denied, jsonNumber, notFound, DomainError } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import {
  checkVersion,
  createApp,
  createLogger,
  fastifyOf,
  listEnvelope,
  type RequestOf,
  Serves,
  servedRoutes,
  waitSeconds,
} from '../index.ts';

const KIB = 1024;
const seen: { body?: unknown; raw?: Buffer } = {};

@Controller()
class Customers {
  @Serves('POST /customers')
  async create(request: FastifyRequest) {
    Object.assign(seen, { body: request.body, raw: request.rawBody });
    return { id: 'cust_1', version: 1, total: jsonNumber('12345678901234567.12') } as never;
  }

  @Serves('GET /customers')
  async list(request: RequestOf<'GET /customers'>) {
    return listEnvelope({ publicUrl: 'https://api.test', request, total: 0, data: [] });
  }

  @Serves('GET /customers/{id}')
  async read(request: RequestOf<'GET /customers/{id}'>) {
    const { id } = request.params;
    if (id === 'broken') throw new Error('the password is hunter2');
    if (id === 'denied') throw new Denied({ server: 'EventStoreDB', user: 'invoicing', right: 'read streams', code: 7 });
    if (id === 'raced') throw new Conflict('customer-x', 1n, 2n);
    if (id !== 'cust_1') throw notFound('customer');
    return { id, version: 7 } as never;
  }

  @Serves('PATCH /customers/{id}')
  async revise(request: FastifyRequest) {
    checkVersion(request.ifMatch, 7);
    return { id: 'cust_1', version: 8 } as never;
  }

  @Serves('DELETE /customers/{id}')
  async remove() {
    return { id: 'cust_1', version: 9 } as never;
  }

  @Serves('POST /customers/{id}/erase')
  async erase(request: FastifyRequest) {
    return { body: request.body, raw: request.rawBody?.length ?? null, waits: waitSeconds(request) } as never;
  }
}

@Module({ controllers: [Customers] })
class TestModule {}

const log: string[] = [];
let app: NestFastifyApplication;
let url: URL;

beforeAll(async () => {
  const logger = createLogger({ level: 'info', service: 'test' }, { write: (line) => void log.push(line) });
  app = await createApp(TestModule, { logger });
  fastifyOf(app).addHook('onRequest', (request, _reply, done) => {
    done(request.headers['x-edge'] === 'refuse' ? new DomainError('rate_limit_exceeded', 'Wait.', undefined, 3) : undefined);
  });
  await app.listen(0, '127.0.0.1');
  url = new URL(await app.getUrl());
});
afterAll(() => app.close());

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: { error?: { code: string; message: string; request_id: string; details?: Record<string, string[]> } } & Record<string, unknown>;
}

async function call(
  method: string,
  path: string,
  raw?: string | Buffer | ReadableStream,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const type = raw === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(new URL(path, url), { method, body: raw as string, headers: { ...type, ...headers }, ...{ duplex: 'half' } });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: text === '' ? {} : JSON.parse(text) };
}
const outcome = ({ status, body }: Answer) => [status, body.error?.code];
const create = (raw: string | Buffer, headers?: Record<string, string>) => call('POST', '/v1/customers', raw, headers);
const fields = ({ body }: Answer) => Object.keys(body.error?.details ?? {}).sort();

/** Sends raw bytes. Returns the text of the response. */
const send = (bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let got = '';
    const socket = connect(Number(url.port), url.hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => (got += chunk));
    socket.on('close', () => resolve(got));
  });

/** The one log line with this request id. */
const lineOf = (id: string | null | undefined) => {
  const lines = log.map((line) => JSON.parse(line)).filter(({ request_id }) => request_id === id);
  expect([id, lines.length]).toEqual([id, 1]);
  return lines[0];
};
test('a server that denies access causes 503 with Retry-After, and one log line for all requests', async () => {
  const lines = (): string[] => log.filter((line) => line.includes('read streams'));
  for (let n = 0; n < 5; n += 1) {
    const answer = await call('GET', '/v1/customers/denied');
    expect([...outcome(answer), answer.headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
    expect(answer.text).not.toMatch(/EventStoreDB|streams/);
  }
  expect(lines().map((line) => JSON.parse(line))).toMatchObject([{ server: 'EventStoreDB', user: 'invoicing', right: 'read streams' }]);
  expect(lines()[0]).not.toContain('.ts:'); // no stack
});

describe('routes of the table', () => {
  test('are served at their path with their status, and are known by name', async () => {
    expect((await create('{"name":"x"}')).status).toBe(201);
    expect((await call('GET', '/v1/customers/cust_1/')).status).toBe(200);
    expect([...servedRoutes(app)].sort()).toEqual([
      'DELETE /customers/{id}',
      'GET /customers',
      'GET /customers/{id}',
      'PATCH /customers/{id}',
      'POST /customers',
      'POST /customers/{id}/erase',
    ]);
  });

  test('an answer has the version as ETag, exact numbers, and is JSON; a list has no ETag', async () => {
    const made = await create('{"name":"x"}');
    expect([made.headers.get('etag'), made.headers.get('content-type')]).toEqual(['"1"', 'application/json; charset=utf-8']);
    expect(made.text).toContain('12345678901234567.12');
    expect((await call('GET', '/v1/customers')).headers.get('etag')).toBeNull();
  });

  test('HEAD is GET without the body', async () => {
    const head = await call('HEAD', '/v1/customers/cust_1');
    expect([head.status, head.text, head.headers.get('etag'), head.headers.get('content-type')]).toEqual([
      200,
      '',
      '"7"',
      'application/json; charset=utf-8',
    ]);
    expect((await call('HEAD', '/v1/customers/nobody')).status).toBe(404);
  });

  test('links of a list are absolute', async () => {
    expect((await call('GET', '/v1/customers?status=x')).body.links).toMatchObject({
      last: 'https://api.test/v1/customers?status=x&page=1',
    });
  });
});

describe('bodies', () => {
  test('arrive parsed and as bytes', async () => {
    await create('{"name":"  Cafe\u0301 "} ');
    expect(seen).toEqual({ body: { name: 'Caf\u00e9' }, raw: Buffer.from('{"name":"  Cafe\u0301 "} ') });
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.shop+json', 'application/merge-patch+json;x=y'])(
    'of %s are accepted',
    async (type) => {
      expect((await create('{"name":"x"}', { 'content-type': type })).status).toBe(201);
    },
  );

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'text/json',
    'nonsense',
    'x+json',
  ])('of %s are 415', async (type) => {
    expect(outcome(await create('{"name":"x"}', { 'content-type': type }))).toEqual([415, 'unsupported_media_type']);
  });

  test('without Content-Type are 415', async () => {
    const answer = await send('POST /v1/customers HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}');
    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
  });

  test('are checked by size, then type, then JSON', async () => {
    const large = '{'.repeat(256 * KIB + 1);
    const bytes = (text: string) => new Blob([text]).stream();
    for (const type of ['application/json', 'text/plain', 'nonsense']) {
      expect(outcome(await create(large, { 'content-type': type }))).toEqual([413, 'payload_too_large']);
    }
    expect(outcome(await call('POST', '/v1/customers', bytes(large), { 'content-type': 'text/plain' }))).toEqual([
      413,
      'payload_too_large',
    ]);
    expect(outcome(await call('POST', '/v1/customers', bytes(large)))).toEqual([413, 'payload_too_large']);
    expect(outcome(await create('{', { 'content-type': 'text/plain' }))).toEqual([415, 'unsupported_media_type']);
    expect(outcome(await create('{'))).toEqual([400, 'invalid_request']);
    expect((await create(`{"name":"x"}${' '.repeat(256 * KIB - 12)}`)).status).toBe(201);
  });

  test('an empty body is an object without fields, with or without a type', async () => {
    const empty = { body: {}, waits: 0 };
    expect((await call('POST', '/v1/customers/cust_1/erase')).body).toMatchObject(empty);
    expect((await call('POST', '/v1/customers/cust_1/erase', '')).body).toMatchObject(empty);
    expect((await call('POST', '/v1/customers/cust_1/erase', new Blob([]).stream(), { 'content-type': 'text/plain' })).body).toMatchObject(
      empty,
    );
    expect(fields(await call('POST', '/v1/customers', ''))).toEqual(['name']);
    expect(fields(await call('POST', '/v1/customers'))).toEqual(['name']);
  });

  test.each(['gzip', 'deflate', 'br', 'zstd', 'GZIP, br'])('with Content-Encoding: %s are 415 and say what is taken', async (encoding) => {
    const answer = await create('{"name":"Ann"}', { 'content-encoding': encoding });
    expect(outcome(answer)).toEqual([415, 'unsupported_media_type']);
    expect(answer.headers.get('accept-encoding')).toBe('identity');
    expect((await create('{"name":"Ann"}', { 'content-encoding': 'Identity' })).status).toBeLessThan(300);
  });

  test('that violate the schema are 422, every wrong field named once, with what to send', async () => {
    const answer = await create('{"name":7,"colour":1,"address":{"planet":"Mars","city":""},"metadata":{"k":1}}');
    expect(outcome(answer)).toEqual([422, 'validation_error']);
    expect(fields(answer)).toEqual(['address.city', 'address.planet', 'colour', 'metadata.k', 'name']);
    expect(answer.body.error?.details?.name).toEqual(['Send text of 1 to 255 characters, without control characters and line breaks.']);
    expect(answer.body.error?.details?.['address.city']).toEqual([
      'Send text of 1 to 255 characters, without control characters and line breaks.',
    ]);
    expect((await create('{}')).body.error?.details).toEqual({ name: ['This field is required.'] });
  });

  test('with a control character or half of a surrogate pair in any string are 422', async () => {
    const answer = await create('{"name":"x\\u0000","metadata":{"k\\u009f":"v","l":"\\ud800"}}');
    expect(outcome(answer)).toEqual([422, 'validation_error']);
    expect(answer.body.error?.details).toEqual({
      name: [expect.stringContaining('control characters')],
      'metadata.k\u009f': [expect.stringContaining('control characters')],
      'metadata.l': [expect.stringContaining('surrogate')],
    });
  });

  test.each(['[]', '"x"', '1', 'null', 'true', '[{"name":"x"}]'])('that are not an object, %s, are 422', async (raw) => {
    expect(outcome(await create(raw))).toEqual([422, 'validation_error']);
  });

  test('with fields for a route that has none are 422', async () => {
    expect(fields(await call('POST', '/v1/customers/cust_1/erase', '{"colour":1}'))).toEqual(['colour']);
  });

  test('that would pollute a prototype or exhaust the stack are rejected, and affect no other request', async () => {
    expect(outcome(await create('{"name":"x","__proto__":{"admin":true}}'))).toEqual([400, 'invalid_request']);
    expect(outcome(await create(`{"name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`))).toEqual([400, 'invalid_request']);
    expect((await create('{"name":"x"}')).status).toBe(201);
  });
});

describe('headers', () => {
  test('If-Match is checked; a malformed one is invalid_request', async () => {
    const revise = (tag: string) => call('PATCH', '/v1/customers/cust_1', '{}', { 'if-match': tag });
    expect((await revise('"7"')).status).toBe(200);
    expect(outcome(await revise('"6"'))).toEqual([412, 'version_conflict']);
    expect(outcome(await revise('7'))).toEqual([400, 'invalid_request']);
  });

  test('Prefer: wait has at most 25 s', async () => {
    const answer = await call('POST', '/v1/customers/cust_1/erase', undefined, { prefer: 'wait=99' });
    expect(answer.body.waits).toBe(25);
  });
});

describe('errors', () => {
  test('a defect is 500 with a request id and without its cause, which is logged', async () => {
    const answer = await call('GET', '/v1/customers/broken');
    expect(outcome(answer)).toEqual([500, 'internal_error']);
    expect(answer.text).not.toContain('hunter2');
    const id = answer.headers.get('x-request-id');
    expect(id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(answer.body.error?.request_id).toBe(id);
    expect(lineOf(id)).toMatchObject({ level: 50, route: 'GET /customers/{id}', method: 'GET', status: 500, code: 'internal_error' });
    expect(lineOf(id).err.stack).toMatch(/hunter2[^]* at /);
  });

  test('the request id of an error is in one log line with the request, in both formats of an error', async () => {
    for (const accept of ['*/*', 'application/problem+json']) {
      const { headers } = await call('GET', '/v1/customers/nobody?email=zz@kestrelwood.example', undefined, {
        accept,
        'x-request-id': 'mine',
      });
      const { level, ...line } = lineOf(headers.get('x-request-id'));
      const about = { route: 'GET /customers/{id}', method: 'GET', status: 404, code: 'not_found', client_request_id: 'mine' };
      expect([level, line]).toEqual([30, expect.objectContaining(about)]);
    }
    expect(log.join()).not.toContain('kestrelwood');
    const raced = await call('GET', '/v1/customers/raced');
    expect(lineOf(raced.headers.get('x-request-id'))).toMatchObject({ level: 40, status: 503, code: 'service_unavailable' });
  });

  test('errors of hooks, handlers and the framework have the same format', async () => {
    const limited = await call('GET', '/v1/nothing', undefined, { 'x-edge': 'refuse' });
    expect([...outcome(limited), limited.headers.get('retry-after')]).toEqual([429, 'rate_limit_exceeded', '3']);
    const raced = await call('GET', '/v1/customers/raced');
    expect([...outcome(raced), raced.headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
    expect(outcome(await call('GET', '/v1/customers/nobody'))).toEqual([404, 'not_found']);
    expect(outcome(await call('GET', `/v1/customers/${'x'.repeat(2_000)}`))).toEqual([404, 'not_found']);
    expect(outcome(await call('GET', '/v1/nothing'))).toEqual([404, 'not_found']);
    expect(outcome(await call('POST', '/v1/nothing', '{'))).toEqual([404, 'not_found']);
  });

  test('are problems (RFC 9457) when requested', async () => {
    const answer = await call('POST', '/v1/customers', '{', { accept: 'application/problem+json' });
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_request', request_id: answer.headers.get('x-request-id') });
  });

  test.each([
    ['a malformed URL', 'GET /v1/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a malformed id', 'GET /v1/customers/%E0%A4%A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a header without a colon', 'GET /v1/customers HTTP/1.1\r\nHost: x\r\nBroken\r\n\r\n'],
    ['no HTTP at all', 'HELLO\r\n\r\n'],
    ['an oversized header', `GET /v1/customers HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100 * KIB)}\r\n\r\n`],
  ])('%s is 400 in the same format', async (_what, bytes) => {
    const [head = '', body = ''] = (await send(bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    const id = /x-request-id: (req_\w+)/i.exec(head)?.[1];
    expect(JSON.parse(body)).toEqual({ error: { code: 'invalid_request', message: expect.any(String), request_id: id } });
    expect(lineOf(id)).toMatchObject({ level: 30, status: 400, code: 'invalid_request' });
  });
});
