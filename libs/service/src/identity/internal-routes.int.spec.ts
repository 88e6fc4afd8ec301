import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { StoredBytesRequest } from '@svc/contracts/account/stored-bytes';
import { FakeClock } from '@svc/kernel';
import {
  createApp,
  createIdentitySigner,
  createLogger,
  fastifyOf,
  gatewayIdentity,
  type Identity,
  internalKeys,
  useInternalRoutes,
} from '../index.ts';

@Module({})
class TestModule {}

const keys = internalKeys(`k1:${Buffer.alloc(32, 1).toString('base64')}`);
const clock = new FakeClock();
const sign = createIdentitySigner(keys, clock);
const asked: object[] = [];
let app: NestFastifyApplication;
beforeAll(async () => {
  app = await createApp(TestModule, { logger: createLogger({ level: 'silent', service: 'test' }) });
  const answer = async (body: object) => {
    asked.push(body);
    return { bytes: {} };
  };
  useInternalRoutes(fastifyOf(app), { keys, audience: 'invoicing', clock }, [
    { path: '/internal/stored-bytes', body: StoredBytesRequest, answer },
  ]);
  await app.init();
});
afterAll(() => app.close());

async function ask(token: string | undefined, payload: object = { accounts: ['acct_1'] }) {
  const headers = token === undefined ? {} : { 'x-svc-identity': token };
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/internal/stored-bytes', headers, payload });
  return [statusCode, (JSON.parse(body) as { error?: { code: string } }).error?.code];
}

test('an internal route answers the gateway itself, and no caller whatever it may do', async () => {
  const caller: Identity = { ...gatewayIdentity, account: 'acct_1', permissions: ['*'], actor: { type: 'api_key', id: 'key_1' } };
  const expired = sign(gatewayIdentity, 'invoicing');
  await clock.advance(60_000);
  const strange = createIdentitySigner(internalKeys(`k1:${Buffer.alloc(32, 2).toString('base64')}`), clock)(gatewayIdentity, 'invoicing');
  for (const token of [undefined, '', 'x.y.z', expired, strange, sign(caller, 'invoicing'), sign(gatewayIdentity, 'reporting')])
    expect(await ask(token)).toEqual([401, 'invalid_api_key']);
  expect(asked).toEqual([]);
  expect(await ask(sign(gatewayIdentity, 'invoicing'))).toEqual([200, undefined]);
  expect(asked).toEqual([{ accounts: ['acct_1'] }]);
});

test('its body is checked', async () => {
  for (const body of [{}, { accounts: [] }, { accounts: 'x' }, { accounts: Array(401).fill('acct_1') }])
    expect(await ask(sign(gatewayIdentity, 'invoicing'), body)).toEqual([422, 'validation_error']);
});
