import { type OpenMongo, openMongo } from '@svc/document-store/mongodb/open';
import { takeNamespaces } from '@svc/document-store/testing/namespace';
import { systemClock as clock } from '@svc/kernel';
import { createLogger } from '@svc/service';
import { createSharedLimiter } from '../limiter/removal.ts';
import { type Answer, code } from '../testing/call.ts';
import { type GatewayApp, startGatewayApp } from '../testing/gateway-app.ts';
import { type StubUpstream, startStubUpstream } from '../testing/stub-upstream.ts';
import { made, type Work } from '../testing/stub-service.ts';

const { url, next, drop } = takeNamespaces();
const namespace = next();
const logger = createLogger({ level: 'silent', service: 'test' });
const work: Work = { commands: [], run: made };
const opened: OpenMongo[] = [];
const gateways: GatewayApp[] = [];
let upstream: StubUpstream;

/** Three gateways on one database, before one service. */
beforeAll(async () => {
  upstream = await startStubUpstream({ audience: 'invoicing', work, clock });
  for (let n = 0; n < 3; n += 1) {
    const mongo = openMongo({ url, namespace, logger });
    opened.push(mongo);
    const documents = mongo.database('svc_gateway');
    gateways.push(
      await startGatewayApp({ documents, limiter: createSharedLimiter({ documents, clock, logger }), invoicing: [upstream.origin] }),
    );
  }
});
afterAll(async () => {
  for (const { app } of gateways) await app.close();
  await upstream.kill();
  for (const mongo of opened) await mongo.close();
  await drop();
});

const account = (limits: object = {}) => (gateways[0] as GatewayApp).account(limits);
const through = (n: number, key: string) => (gateways[n % 3] as GatewayApp).caller(key);
const count = (answers: Answer[], status: number): number => answers.filter((answer) => answer.status === status).length;

test('three gateways admit together exactly the limit of 500 concurrent requests', async () => {
  const { testKey } = await account({ plan: 200 });
  const answers = await Promise.all(Array.from({ length: 500 }, (_, n) => through(n, testKey)('GET', '/v1/customers')));
  expect([count(answers, 200), count(answers, 429)]).toEqual([200, 300]);
  const left = answers.filter(({ status }) => status === 200).map(({ headers }) => Number(headers['x-ratelimit-remaining']));
  expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n));
});

test('the token bucket and a limit of one endpoint are exact too', async () => {
  const burst = await account({ plan: 60, burst: 25 });
  const started = clock.now();
  const bursts = await Promise.all(Array.from({ length: 100 }, (_, n) => through(n, burst.testKey)('GET', '/v1/customers')));
  const refilled = Math.ceil((clock.now() - started) / 1000);
  expect(count(bursts, 200)).toBeGreaterThanOrEqual(25);
  expect(count(bursts, 200)).toBeLessThanOrEqual(25 + refilled);
  const reports = await account({ submit: 10 });
  const submits = await Promise.all(Array.from({ length: 60 }, (_, n) => through(n, reports.testKey)('POST', '/v1/invoices/inv_1/submit')));
  expect([count(submits, 200), count(submits, 429)]).toEqual([10, 50]);
});

test('60 concurrent requests under one Idempotency-Key at three gateways are one run', async () => {
  const { testKey } = await account();
  for (let round = 0; round < 5; round += 1) {
    work.commands.length = 0;
    const sent = { body: { name: 'Ana' }, headers: { 'idempotency-key': `round ${round}`.replace(' ', '-') } };
    const post = (n: number): Promise<Answer> => through(n, testKey)('POST', '/v1/customers', sent);
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => post(n)));
    expect(work.commands).toHaveLength(1);
    const ran = answers.filter(({ status }) => status === 201);
    expect(ran.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(new Set(ran.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(code))).toEqual(
      new Set(ran.length < 60 ? ['409 idempotency_key_in_use'] : []),
    );
    for (let n = 0; n < 3; n += 1) expect(await post(n)).toMatchObject({ status: 201, text: ran[0]?.text });
  }
});

test('a key of one gateway is valid at the others, and invalid at most 5 s after its revocation', async () => {
  const { testKey } = await account();
  const [, , last] = gateways as [GatewayApp, GatewayApp, GatewayApp];
  for (let n = 0; n < 3; n += 1) expect((await through(n, testKey)('GET', '/v1/account')).status).toBe(200);
  const [key] = (await through(0, testKey)('GET', '/v1/api-keys')).body['data'] as { id: string }[];
  expect((await through(1, testKey)('DELETE', `/v1/api-keys/${key?.id}`)).status).toBe(200);
  await clock.sleep(5_100);
  expect(code(await last.caller(testKey)('GET', '/v1/account'))).toBe('401 invalid_api_key');
});
