import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FakeClock, notFound } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import {
  createApp,
  createIdentitySigner,
  createLogger,
  fastifyOf,
  type Identity,
  internalKeys,
  loadConfig,
  Serves,
  Setting,
  useInternalIdentity,
} from '../index.ts';
import { IsInternalKeys } from './internal-keys.ts';

@Controller()
class Customers {
  @Serves('GET /customers')
  async list({ identity, query }: FastifyRequest) {
    return { identity, query } as never;
  }

  @Serves('GET /customers/{id}')
  async read(): Promise<never> {
    throw notFound('customer');
  }

  @Get('/elsewhere')
  elsewhere(): object {
    return { open: true };
  }
}

@Module({ controllers: [Customers] })
class TestModule {}

const keys = internalKeys(`k1:${Buffer.alloc(32, 1).toString('base64')}`);
const clock = new FakeClock();
const identity: Identity = {
  account: 'acct_1',
  env: 'live',
  livemode: true,
  permissions: ['*'],
  actor: { type: 'api_key', id: 'key_1' },
  requestId: 'req_1',
  commandId: '01kvc3v1m7e0v8k3v1m7e0v8k3',
};
const lines: object[] = [];
let app: NestFastifyApplication;

beforeAll(async () => {
  app = await createApp(TestModule, { logger: createLogger({ level: 'silent', service: 'test' }) });
  const logger = { warn: (fields: object) => void lines.push(fields) } as never;
  useInternalIdentity(fastifyOf(app), { keys, audience: 'invoicing', clock, logger });
  await app.init();
});
afterAll(() => app.close());

const token = (): string => createIdentitySigner(keys, clock)(identity, 'invoicing');
const get = async (url: string, headers: Record<string, string> = { 'x-svc-identity': token() }) => {
  const { statusCode, body, headers: shown } = await fastifyOf(app).inject({ url, headers });
  return { status: statusCode, body: JSON.parse(body) as Record<string, unknown>, requestId: shown['x-request-id'] };
};

test('sets the identity and request id of the gateway and the validated query', async () => {
  const { status, body, requestId } = await get('/v1/customers?per_page=5');
  expect([status, requestId]).toEqual([200, 'req_1']);
  expect(body).toEqual({ identity, query: { page: 1, per_page: 5 } });
});

test('answers 403 without the permission of the route, before any other validation', async () => {
  const as = async (permissions: string[], url = '/v1/customers?per_page=0') => {
    const signed = createIdentitySigner(keys, clock)({ ...identity, permissions }, 'invoicing');
    const { status, body, requestId } = await get(url, { 'x-svc-identity': signed });
    return [status, (body['error'] as { code: string } | undefined)?.code, requestId];
  };
  for (const permissions of [[], ['customers:write'], ['invoices:read']])
    expect(await as(permissions)).toEqual([403, 'insufficient_permissions', 'req_1']);
  expect(await as(['customers:read'])).toEqual([400, 'invalid_request', 'req_1']);
  expect(await as(['customers:read'], '/v1/customers')).toEqual([200, undefined, 'req_1']);
  expect(await as([], '/v1/nothing')).toEqual([404, 'not_found', 'req_1']);
});

test('a route under /v1 that is not in the table fails the start', async () => {
  @Controller()
  class Stray {
    @Get('/v1/stray')
    answer(): object {
      return {};
    }
  }
  @Module({ controllers: [Stray] })
  class StrayModule {}
  const stray = await createApp(StrayModule, { logger: createLogger({ level: 'silent', service: 'test' }) });
  await expect(stray.init()).rejects.toThrow('/v1/stray is not in the table of routes');
});

test('continues the trace of the traceparent header if it is valid', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const traced = async (header: string) =>
    (await get('/v1/customers', { 'x-svc-identity': token(), traceparent: header })).body['identity'];
  expect(await traced(traceparent)).toEqual({ ...identity, traceparent });
  expect(await traced('nonsense')).toEqual(identity);
});

test('a request that waited until its identity had ended is 503, not the 401 of a caller that is not known, and the log says so', async () => {
  const waiting = token();
  await clock.advance(49_000);
  expect((await get('/v1/customers', { 'x-svc-identity': waiting })).status).toBe(200);
  await clock.advance(11_000);
  const { status, body, requestId } = await get('/v1/customers', { 'x-svc-identity': waiting });
  expect([status, requestId, body['error']]).toEqual([503, 'req_1', expect.objectContaining({ code: 'service_unavailable' })]);
  expect(lines.splice(0)).toEqual([{ request_id: 'req_1', late_seconds: 15 }]);
  expect((await get('/v1/customers', { 'x-svc-identity': `${waiting}x` })).status).toBe(401);
  expect(lines).toEqual([]);
});

test('errors carry the gateway’s request id', async () => {
  expect(await get('/v1/customers/cust_1')).toMatchObject({ status: 404, requestId: 'req_1', body: { error: { request_id: 'req_1' } } });
  expect(await get('/v1/customers?per_page=0')).toMatchObject({
    status: 400,
    body: { error: { request_id: 'req_1', code: 'invalid_request' } },
  });
});

test.each(['/v1/customers', '/v1/customers/', '/%76%31/customers', '/v1/nothing', '/v1', 'http://host/v1/customers'])(
  'without a token %s is 401, whatever is wrong',
  async (url) => {
    const answers = await Promise.all(
      [{}, { 'x-svc-identity': '' }, { 'x-svc-identity': 'a.b.c' }, { authorization: `Bearer ${token()}` }].map((headers) =>
        get(url, headers as Record<string, string>),
      ),
    );
    for (const { status, body } of answers) {
      expect([status, (body['error'] as { code: string }).code]).toEqual([401, 'invalid_api_key']);
      expect(body['error']).not.toHaveProperty('details');
    }
    expect(new Set(answers.map(({ body }) => (body['error'] as { message: string }).message)).size).toBe(1);
  },
);

test('does not affect paths outside /v1', async () => {
  expect(await get('/elsewhere', {})).toMatchObject({ status: 200, body: { open: true } });
  expect((await get('/v10', {})).status).toBe(404);
});

test('the message for a wrong setting shows the format, never the value', () => {
  class Config {
    @Setting({ description: 'keys', secret: true })
    @IsInternalKeys()
    INTERNAL_KEYS: string;
  }
  const good = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
  expect(loadConfig(Config, { INTERNAL_KEYS: good }).INTERNAL_KEYS).toBe(good);
  expect(() => loadConfig(Config, { INTERNAL_KEYS: 'k1:c2hvcnQ=' })).toThrow(/INTERNAL_KEYS is \(hidden\); it must be internal keys/);
  expect(() => loadConfig(Config, {})).toThrow('INTERNAL_KEYS is not set');
});
