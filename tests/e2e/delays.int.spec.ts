import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startSimulator } from '@svc/authority-simulator';
import { Engine } from '@svc/embedded';
import type { Http } from '@svc/fiscal-submission';
import { ensureDemoAccount, type DemoAccount } from '@svc/gateway';
import { createIds, systemClock as clock } from '@svc/kernel';
import { createLogger, Health, newKeyRing, parseKeyRing } from '@svc/service';
import { eventually } from '@svc/testkit';
import { composeSystem, embeddedPorts } from '@svc/standalone/compose';
import { NO_PHASES } from '@svc/webhooks-dispatcher/sending/send';

type Fault = 'unavailable' | 'loses the request' | { simulate: string };

let folder: string;
let simulator: Awaited<ReturnType<typeof startSimulator>>;
let engine: Engine;
let app: NestFastifyApplication;
let demo: DemoAccount;
/** What becomes of the calls of the authority: the first, and the last for all further ones. */
let faults: Fault[];
const ring = parseKeyRing(newKeyRing());
const logger = createLogger({ level: 'silent', service: 'test' });
/** Events that the subscriber received, by their ids. */
const received = new Map<string, { type: string; data: Document }>();

interface Document {
  id: string;
  version: number;
  status: string;
  fiscal: { status: string; attempts: number; last_attempt_at: string; next_attempt_at: string; error: { code: string; fixable: string } };
}

const authorityHttp: Http = async ({ method, url, headers, body }) => {
  const fault = faults.length > 1 ? faults.shift() : faults[0];
  if (fault === 'unavailable') return { status: 503, headers: {}, body: Buffer.from('') };
  const scripted: Record<string, string> = typeof fault === 'object' ? { 'x-simulate': fault.simulate } : {};
  if (fault === 'loses the request') throw new Error('the connection broke');
  const answer = await fetch(url, { method, headers: { ...(headers as Record<string, string>), ...scripted }, body: body ?? null });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: Buffer.from(await answer.arrayBuffer()) };
};

async function start(): Promise<void> {
  engine = Engine.open(folder, {});
  const composed = await composeSystem(
    {
      ...{ clock, ids: createIds(clock), logger, health: new Health(clock), ringOf: () => ring, publicUrl: 'https://api.example' },
      ...{ simulatorUrl: simulator.url, pace: 'fast', holder: 'test', authorityHttp },
      edge: { HOSTS: new Map(), REQUIRE_HTTPS: false, TRUSTED_PROXIES: [] },
      webhooks: {
        ...{ allowed: [], delays: [100, 100, 100, 100, 100], resolve: async () => ['93.184.216.34'] },
        async send({ body }) {
          const event = JSON.parse(body.toString()) as { id: string; type: string; data: Document };
          received.set(event.id, event);
          return { status: 200, body: '', phases: NO_PHASES };
        },
      },
    },
    embeddedPorts({ engine, clock, logger }),
  );
  ({ app } = composed);
  demo = (await ensureDemoAccount(composed.gateway.accounts, { plan: 'enterprise', email: 'demo@example.com' })) ?? demo;
}
async function stop(): Promise<void> {
  await app.close();
  engine.close();
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'delays-'));
  simulator = await startSimulator({ port: 0, host: '127.0.0.1', file: join(folder, 'ledger.db'), clock, logger });
  await start();
  await call('POST', '/webhooks', { url: 'https://hook.example/', events: ['*'] });
});
afterAll(async () => {
  await stop();
  await simulator.close();
  rmSync(folder, { recursive: true });
});

async function call<T>(method: 'GET' | 'POST', path: string, body?: object) {
  const headers = { authorization: `Bearer ${demo.test_key}` };
  const answer = await app.inject({ method, url: `/v1${path}`, headers, ...(body ? { payload: body } : {}) });
  return { status: answer.statusCode, body: answer.json() as T, etag: answer.headers.etag };
}
const items = [{ description: 'x', unit_price: 10, tax_rate: 0 }];
async function submitted(): Promise<string> {
  const { body: customer } = await call<Document>('POST', '/customers', { name: 'Jo' });
  const { body } = await call<Document>('POST', '/invoices', { customer_id: customer.id, items });
  await call('POST', `/invoices/${body.id}/submit`, {});
  return body.id;
}
const read = (id: string, path = 'invoices') => call<Document>('GET', `/${path}/${id}`);
const entries = async (id: string, path = 'invoices') =>
  (await call<{ data: { n: number; error: { code: string } | null }[] }>('GET', `/${path}/${id}/attempts?per_page=100`)).body.data;
const delaysOf = async (id: string, path = 'invoices') =>
  (await call<{ data: { type: string; changes: Partial<Document> }[] }>('GET', `/${path}/${id}/events`)).body.data.filter(
    ({ changes }) => changes.fiscal?.error,
  );
/** The events of this invoice that tell of attempts. */
const deliveriesOf = (id: string) =>
  [...received.values()].filter(({ type, data }) => type === 'invoice.updated' && data.id === id && data.fiscal?.error);

describe('while the authority answers 503', () => {
  test('an invoice says so: attempts of now, one entry of history and one webhook; version and ETag stay', async () => {
    faults = ['unavailable'];
    const id = await submitted();
    await eventually(async () => (await entries(id)).length >= 4 && (await delaysOf(id)).length > 0, 'some attempts');
    const before = (await entries(id)).length;
    const { body, etag } = await read(id);
    const after = (await entries(id)).length;
    expect(body).toMatchObject({ status: 'submitting', fiscal: { status: 'pending', error: { code: 'unavailable', fixable: null } } });
    expect(body.fiscal.attempts).toBeGreaterThanOrEqual(before);
    expect(body.fiscal.attempts).toBeLessThanOrEqual(after);
    const { body: list } = await call<{ data: Document[] }>('GET', '/invoices');
    expect(list.data.find((one) => one.id === id)).toMatchObject({ version: body.version, fiscal: { attempts: 1 } });
    await eventually(async () => (await read(id)).body.fiscal.attempts > body.fiscal.attempts, 'further attempts');
    expect(await read(id)).toMatchObject({ etag, body: { version: body.version } });
    await eventually(() => deliveriesOf(id).length > 0, 'the webhook');
    expect([(await delaysOf(id)).length, deliveriesOf(id).length]).toEqual([1, 1]);
    faults = [{ simulate: 'accept' }];
    await eventually(async () => (await read(id)).body.status === 'submitted', 'its registration');
    expect([(await delaysOf(id)).length, deliveriesOf(id).length]).toEqual([1, 1]);
    const { body: done } = await read(id);
    expect(done.fiscal).toMatchObject({ error: null, attempts: (await entries(id)).length, next_attempt_at: null });
  });

  test('so does a receipt', async () => {
    faults = ['unavailable'];
    const { body: made } = await call<Document>('POST', '/receipts', { items, payment_method: 'cash' });
    await eventually(async () => (await read(made.id, 'receipts')).body.fiscal.attempts >= 3, 'some attempts');
    await eventually(async () => (await delaysOf(made.id, 'receipts')).length > 0, 'its history');
    expect((await read(made.id, 'receipts')).body.fiscal).toMatchObject({ status: 'pending', error: { code: 'unavailable' } });
    expect(await delaysOf(made.id, 'receipts')).toHaveLength(1);
    faults = [{ simulate: 'accept' }];
    await eventually(async () => (await read(made.id, 'receipts')).body.fiscal.status === 'registered', 'its registration');
  });
});

test('a doubt that is followed by rejections of the certificate shows it, and stays a doubt; a process that restarts tells nothing again', async () => {
  faults = ['loses the request', { simulate: 'reject:credentials' }];
  const id = await submitted();
  await eventually(async () => (await read(id)).body.fiscal.error?.fixable === 'credentials', 'the certificate');
  expect(await read(id)).toMatchObject({ body: { status: 'submitting', available_actions: ['resolve'], fiscal: { status: 'unknown' } } });
  const most = (await read(id)).body.fiscal.attempts;
  await stop();
  await start();
  await eventually(async () => (await read(id)).body.fiscal.attempts >= most + 3, 'further attempts');
  await eventually(() => deliveriesOf(id).length >= 2, 'the webhooks');
  expect((await delaysOf(id)).map(({ changes }) => [changes.fiscal?.status, changes.fiscal?.error?.fixable])).toEqual([
    ['unknown', null],
    ['unknown', 'credentials'],
  ]);
  expect(deliveriesOf(id)).toHaveLength(2);
  faults = [{ simulate: 'accept' }];
  await eventually(async () => (await read(id)).body.status === 'submitted', 'its registration');
  expect((await read(id)).body.fiscal.error).toBeNull();
});

test('the look-up is no route of the one process', async () => {
  const id = await submitted();
  expect((await call('GET', `/invoices/${id}/progress`)).status).toBe(404);
});
