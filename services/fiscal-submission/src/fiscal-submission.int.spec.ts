import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Module } from '@nestjs/common';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { documentDeadLetters, EmbeddedBus } from '@svc/event-bus';
import { embeddedEventStore, type Checkpoint } from '@svc/event-store';
import { FakeClock, iso, prefixed, systemClock, type Env } from '@svc/kernel';
import {
  createApp,
  createLogger,
  fastifyOf,
  Health,
  newKeyRing,
  parseKeyRing,
  servedRoutes,
  type Identity,
  type Logger,
} from '@svc/service';
import { FiscalSubmissionModule } from './fiscal-submission.module.ts';
import { SimulatorProcess } from './testing/simulator-process.ts';
import { ids, registrationRequested } from './testing/system.ts';

const account = prefixed('acct', ids.next());
const other = prefixed('acct', ids.next());
const folder = mkdtempSync(join(tmpdir(), 'fiscal-app-'));
const health = new Health();
let simulator: SimulatorProcess;
let engine: Engine;
let app: NestFastifyApplication;
let bus: EmbeddedBus;

beforeAll(async () => {
  simulator = await SimulatorProcess.start();
  engine = Engine.open(folder, { durable: false });
  const documents = embeddedDocumentStore(engine, 'svc_fiscal_submission');
  const logger = createLogger({ level: 'silent', service: 'fiscal-submission' });
  const eventStore = embeddedEventStore(engine, systemClock);
  const deadLetters = documentDeadLetters(documents);
  bus = new EmbeddedBus({ clock: systemClock, logger, deadLetters, head: () => eventStore.head() });
  const fiscal = await FiscalSubmissionModule.forRoot({
    eventStore,
    documents,
    bus,
    clock: systemClock,
    ids,
    logger,
    health,
    ring: parseKeyRing(newKeyRing()),
    simulatorUrl: simulator.url,
    pace: 'fast',
    publicUrl: 'https://api.test',
  });
  class Root {}
  Module({ imports: [fiscal] })(Root);
  app = await createApp(Root, { logger });
  fastifyOf(app).addHook('onRequest', async (request) => {
    const [as, env] = [request.headers['x-as'] as string, (request.headers['x-env'] ?? 'test') as Env];
    request.identity = {
      account: as,
      env,
      livemode: env === 'live',
      permissions: ['*'],
      requestId: 'req_1',
      commandId: ids.next(),
    } as unknown as Identity;
  });
  app.connectMicroservice({ strategy: bus });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
});

afterAll(async () => {
  await app.close();
  engine.close();
  rmSync(folder, { recursive: true });
  await simulator.stop();
});

const requested = (id: string, simulate: string | null = null): PublicEvent => ({
  specversion: '1.0',
  id: prefixed('evt', ids.next()),
  source: 'invoicing',
  type: 'invoicing.registration-requested.v1',
  subject: id,
  time: iso(systemClock.now()),
  datacontenttype: 'application/json',
  env: 'test',
  account,
  sequence: 3,
  data: { ...registrationRequested(id), issuer: { tax_id: account, legal_name: 'L' }, simulate },
});

const get = async (path: string, as = account, env = 'test') => {
  const response = await fastifyOf(app).inject({ method: 'GET', url: `/v1${path}`, headers: { 'x-as': as, 'x-env': env } });
  return { status: response.statusCode, body: response.json() };
};

async function attempts(path: string, count: number) {
  for (let waited = 0; waited < 10_000; waited += 20) {
    const { status, body } = await get(path);
    if (status === 200 && body.data.length === count && body.data.every(({ outcome }: { outcome: string | null }) => outcome)) return body;
    await systemClock.sleep(20);
  }
  throw new Error(`${path} does not get ${count} attempts`);
}

test('does not start on an event store that ends before a checkpoint', async () => {
  const clock = new FakeClock();
  const documents = embeddedDocumentStore(engine, 'svc_not_restored');
  await documents.collection<Checkpoint>('checkpoints').insert({ _id: 'publishing', version: 1, position: '1000000' });
  const logged: object[] = [];
  const logger = { error: (line: object) => void logged.push(line) } as unknown as Logger;
  const adapters = { eventStore: embeddedEventStore(engine, clock), documents, bus, clock, ids, logger, health };
  let started = false;
  const settings = { ring: parseKeyRing(newKeyRing()), simulatorUrl: simulator.url, pace: 'fast', publicUrl: 'https://api.test' } as const;
  void FiscalSubmissionModule.forRoot({ ...adapters, ...settings }).then(() => (started = true));
  await clock.advance(30_000);
  expect([started, logged]).toEqual([false, [expect.objectContaining({ subscription: 'publishing', checkpoint: '1000000' })]]);
});

test('is ready once it runs, and serves its routes', async () => {
  expect(await health.ready()).toEqual({ ok: true, checks: { 'fiscal-submission': 'ok' } });
  expect([...servedRoutes(app)].sort()).toEqual([
    'DELETE /fiscal-credentials',
    'GET /fiscal-credentials',
    'GET /invoices/{id}/attempts',
    'GET /invoices/{id}/evidence',
    'GET /receipts/{id}/attempts',
    'GET /receipts/{id}/evidence',
    'POST /fiscal-credentials/activate',
    'POST /fiscal-credentials/check',
    'POST /invoices/{id}/resolve',
    'POST /receipts/{id}/resolve',
    'PUT /fiscal-credentials',
  ]);
  expect(bus.groups()).toEqual([{ group: 'fiscal-submission', topic: 'invoicing.registration' }]);
});

test('submits a document from the bus and lists its attempts', async () => {
  const id = prefixed('inv', ids.next());
  await bus.publish(topics.registration, [requested(id, 'lost_reply')]);
  const { data, meta, links } = await attempts(`/invoices/${id}/attempts`, 2);
  expect(data).toEqual([
    {
      n: 1,
      at: expect.stringMatching(/Z$/),
      duration_ms: expect.any(Number),
      kind: 'submit',
      outcome: 'unknown',
      message_id: expect.any(String),
      request_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      http_status: null,
      error: { code: 'no_answer', message: expect.any(String) },
    },
    expect.objectContaining({ n: 2, kind: 'query', outcome: 'registered', http_status: 200, error: null }),
  ]);
  expect(meta).toEqual({ current_page: 1, per_page: 20, total: 2, last_page: 1 });
  expect(links.first).toBe(`https://api.test/v1/invoices/${id}/attempts?page=1`);
});

test('answers 404 for a document of another account, environment or kind', async () => {
  const id = prefixed('inv', ids.next());
  expect((await get(`/invoices/${id}/attempts`)).body.error.code).toBe('not_found');
  await bus.publish(topics.registration, [requested(id)]);
  await attempts(`/invoices/${id}/attempts`, 1);
  expect((await get(`/invoices/${id}/attempts`, other)).status).toBe(404);
  expect((await get(`/invoices/${id}/attempts`, account, 'live')).status).toBe(404);
  expect((await get(`/receipts/${id}/attempts`)).status).toBe(404);
  const receipt = prefixed('rcp', ids.next());
  const event = requested(receipt);
  await bus.publish(topics.registration, [{ ...event, data: { ...event.data, kind: 'receipt' } }]);
  await attempts(`/receipts/${receipt}/attempts`, 1);
});

test('keeps a request about a stream with unknown events for the later release, without a failure', async () => {
  const [id, other] = [prefixed('inv', ids.next()), prefixed('inv', ids.next())];
  const stream = `submission-test.${account}.${id}`;
  const metadata = { v: 1, account, env: 'test' as const };
  const written = { id: ids.next(), type: 'SubmissionForwarded', data: {}, metadata };
  await embeddedEventStore(engine, systemClock).append(stream, 'none', [written]);
  const event = requested(id);
  await bus.publish(topics.registration, [event, requested(other)]);
  expect(await bus.deadLetters.of('fiscal-submission').get(`fiscal-submission:${event.id}`)).toMatchObject({
    reason: 'unknown_type',
    error: expect.stringContaining('SubmissionForwarded'),
  });
  await attempts(`/invoices/${other}/attempts`, 1);
});
