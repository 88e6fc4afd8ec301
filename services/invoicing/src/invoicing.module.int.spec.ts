import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { routes, type RouteName } from '@svc/contracts/routes';
import { embeddedDocumentStore } from '@svc/document-store';
import { documentDeadLetters, EmbeddedBus } from '@svc/event-bus';
import type { Checkpoint, EventStore } from '@svc/event-store';
import { FakeClock, iso, OutcomeUnknown } from '@svc/kernel';
import { createApp, fastifyOf, Health, newKeyRing, parseKeyRing, register, servedRoutes } from '@svc/service';
import { encryptedStore } from './encrypted-store.ts';
import { InvoicingModule } from './invoicing.module.ts';
import { callerOf, dataFolder, openSystem } from './testing/open-system.ts';
import { servedProjections } from './registrations.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
const health = new Health(system.clock);
const published: PublicEvent[] = [];
const deadLetters = documentDeadLetters(system.documents);
const bus = new EmbeddedBus({ clock: system.clock, logger: system.logger, deadLetters, head: async () => 0n });
let isNumbering = true;
/** Its appends to series fail while `isNumbering` is false. */
const eventStore: EventStore = {
  ...system.raw,
  append: (stream, ...rest) =>
    isNumbering || !stream.startsWith('series-') ? system.raw.append(stream, ...rest) : Promise.reject(new OutcomeUnknown('no answer')),
};
let app: NestFastifyApplication;

beforeAll(async () => {
  const module = await InvoicingModule.forRoot({
    deployment: {},
    store: encryptedStore({ ...system, eventStore, secrets: parseKeyRing(newKeyRing()) }),
    documents: system.documents,
    bus,
    secrets: parseKeyRing(newKeyRing()),
    clock: system.clock,
    ids: system.ids,
    logger: system.logger,
    health,
    publicUrl: 'https://api.example.com',
  });
  app = await createApp(module, { logger: system.logger });
  app.connectMicroservice({ strategy: bus });
  for (const topic of [topics.customer, topics.invoice, topics.receipt, topics.registration]) {
    bus.addHandler({ group: 'test', topic }, (async (events: PublicEvent[]) => void published.push(...events)) as never, true);
  }
  // In place of the gateway.
  fastifyOf(app).addHook('onRequest', async (request) => {
    request.identity = callerOf(system);
    request.query = { page: 1, per_page: 20, ...(request.query as object) };
  });
  await app.startAllMicroservices();
  await app.init();
  await fastifyOf(app).ready();
});
afterAll(async () => {
  await app.close();
  system.engine.close();
  folder.remove();
});

const post = async (path: string, payload: object) =>
  (await fastifyOf(app).inject({ method: 'POST', url: `/v1${path}`, payload })).json() as Record<string, string>;
const read = async (path: string) => JSON.parse((await fastifyOf(app).inject({ url: `/v1${path}` })).body) as Record<string, unknown>;
const until = async (what: () => unknown): Promise<void> => {
  for (let n = 0; n < 1_500 && !(await what()); n += 1) await system.clock.sleep(10);
  expect(await what()).toBeTruthy();
};

test('does not start on an event store that ends before a checkpoint, and says what to do', async () => {
  const clock = new FakeClock();
  const documents = embeddedDocumentStore(system.engine, 'svc_not_restored');
  await documents.collection<Checkpoint>('checkpoints').insert({ _id: 'publishing', version: 1, position: '1000000' });
  const logged: string[] = [];
  const logger = { ...system.logger, error: (_: object, message: string) => void logged.push(message) } as typeof system.logger;
  const secrets = parseKeyRing(newKeyRing());
  const adapters = { store: system.store, documents, bus, secrets, clock, ids: system.ids, logger, health: new Health(clock) };
  let started = false;
  void InvoicingModule.forRoot({ ...adapters, deployment: {}, publicUrl: '' }).then(() => (started = true));
  await clock.advance(30_000);
  expect([started, logged]).toEqual([false, [expect.stringContaining('drop the collections that are rebuilt')]]);
});

test('is ready once its projections have caught up', async () => {
  while (!(await health.ready()).ok) await system.clock.sleep(10);
  expect(await health.ready()).toEqual({ ok: true, checks: { invoicing: 'ok' } });
});

test('serves the routes of customers, issuer, invoices and receipts', () => {
  const own: RouteName[] = [
    'POST /customers',
    'GET /customers',
    'PATCH /issuer',
    'POST /invoices',
    'GET /invoices',
    'POST /receipts',
    'GET /receipts',
  ];
  for (const name of own) expect(servedRoutes(app).has(name)).toBe(true);
  for (const name of servedRoutes(app)) expect(routes[name].service).toBe('invoicing');
});

test('new documents are published on the bus and listed', async () => {
  const customer = await post('/customers', { name: 'Blue Heron' });
  const invoice = await post('/invoices', { customer_id: customer['id'], items: [{ description: 'x', unit_price: 10 }] });
  // These are made with the answer.
  const { customer_name: _name, warnings: _warnings, ...stored } = invoice;
  await until(() => published.some(({ subject }) => subject === invoice['id']));
  expect(
    published.filter(({ subject }) => [customer['id'], invoice['id']].includes(subject)).map(({ type, data }) => [type, data]),
  ).toEqual([
    ['invoicing.customer-created.v1', customer],
    ['invoicing.invoice-created.v1', stored],
  ]);
  const { body } = await fastifyOf(app).inject({ url: '/v1/invoices' });
  expect(JSON.parse(body)).toMatchObject({ data: [invoice], meta: { total: 1 } });
});

test('an outcome of the tax authority changes the invoice', async () => {
  const customer = await post('/customers', { name: 'Blue Heron' });
  const { id = '' } = await post('/invoices', { customer_id: customer['id'], items: [{ description: 'x', unit_price: 10 }] });
  expect(await post(`/invoices/${id}/submit`, {})).toMatchObject({
    status: 'submitting',
    number: expect.stringMatching(/^INV-\d{4}-000001$/),
  });
  const requested = () => published.find(({ type, subject }) => type === 'invoicing.registration-requested.v1' && subject === id);
  await until(requested);
  const at = iso(system.clock.now());
  const data = { document_id: id, kind: 'invoice', round: 1, authority: 'sandbox', code: 'CODE-1', issuer_code: null, registered_at: at };
  const more = { verification_url: null, late: false, attempts: 1, last_attempt_at: at };
  const type = 'fiscal.document-registered.v1';
  const registered: PublicEvent = { ...(requested() as PublicEvent), type, source: 'fiscal-submission', data: { ...data, ...more } };
  await bus.publish(topics.fiscalRegistration, [registered, registered]);
  const { body } = await fastifyOf(app).inject({ url: `/v1/invoices/${id}` });
  expect(JSON.parse(body)).toMatchObject({ status: 'submitted', fiscal_code: 'CODE-1' });
  await until(() => published.some(({ type: of, subject }) => of === 'invoicing.invoice-submitted.v1' && subject === id));
});

test('an outcome for a document whose stream holds an event of a later release waits for that release; other outcomes are applied', async () => {
  const customer = await post('/customers', { name: 'Blue Heron' });
  const submitted = async (): Promise<PublicEvent> => {
    const { id = '' } = await post('/invoices', { customer_id: customer['id'], items: [{ description: 'x', unit_price: 10 }] });
    await post(`/invoices/${id}/submit`, {});
    const requested = () => published.find(({ type, subject }) => type === 'invoicing.registration-requested.v1' && subject === id);
    await until(requested);
    return requested() as PublicEvent;
  };
  const registered = (request: PublicEvent): PublicEvent => {
    const at = iso(system.clock.now());
    const about = { document_id: request.subject, kind: 'invoice', round: 1, authority: 'sandbox', code: 'CODE-2', issuer_code: null };
    const data = { ...about, registered_at: at, verification_url: null, late: false, attempts: 1, last_attempt_at: at };
    const [id, type] = [`evt_${request.subject}`, 'fiscal.document-registered.v1'];
    return { ...request, id, type, source: 'fiscal-submission', data };
  };
  const [newer, other] = [await submitted(), await submitted()];
  const stream = `invoice-${newer.env}.${newer.account}.${newer.subject}`;
  const head = (await system.raw.read(stream)).at(-1)?.revision as bigint;
  const metadata = { v: 1, account: newer.account, env: newer.env };
  await system.raw.append(stream, head, [{ id: system.ids.next(), type: 'InvoiceMerged', data: {}, metadata }]);
  await bus.publish(topics.fiscalRegistration, [registered(newer), registered(other)]);
  expect(await deadLetters('invoicing').get(`invoicing:evt_${newer.subject}`)).toMatchObject({
    reason: 'unknown_type',
    event_subject: newer.subject,
    error: expect.stringContaining('InvoiceMerged'),
  });
  await until(() => published.some(({ type, subject }) => type === 'invoicing.invoice-submitted.v1' && subject === other.subject));
  const left = () => Array.fromAsync(deadLetters('invoicing.publishing').find({ reason: 'unknown_type' }));
  await until(async () => (await left()).length > 0);
  expect(await left()).toMatchObject([{ event: { stream, from: String(head + 1n) }, event_type: 'InvoiceMerged' }]);
});

test('an invoice and a receipt left without a number get one without a further request', async () => {
  const customer = await post('/customers', { name: 'Blue Heron' });
  const items = [{ description: 'x', unit_price: 10 }];
  const { id = '' } = await post('/invoices', { customer_id: customer['id'], items });
  isNumbering = false;
  const failed = { error: { code: 'outcome_unknown' } };
  expect(await post(`/invoices/${id}/submit`, {})).toMatchObject(failed);
  expect(await post('/receipts', { items, payment_method: 'cash' })).toMatchObject(failed);
  expect(await read(`/invoices/${id}`)).toMatchObject({ status: 'submitting', number: null });
  expect(await read('/receipts')).toMatchObject({ data: [] });
  isNumbering = true;
  await until(async () => (await read(`/invoices/${id}`))['number']);
  await until(async () => ((await read('/receipts'))['data'] as object[]).length === 1);
  expect(await read('/receipts')).toMatchObject({ data: [{ number: expect.stringMatching(/^RCP-\d{4}-000001$/) }] });
}, 30_000);

test('a series under a new code does not repeat the numbers of the first: the error names the first', async () => {
  const patch = async (payload: object) =>
    (await fastifyOf(app).inject({ method: 'PATCH', url: '/v1/issuer', payload })).json() as Record<string, unknown>;
  const customer = await post('/customers', { name: 'Blue Heron' });
  const submitted = async () => {
    const { id = '' } = await post('/invoices', { customer_id: customer['id'], items: [{ description: 'x', unit_price: 10 }] });
    return post(`/invoices/${id}/submit`, {});
  };
  expect(await patch({ series: { standard: { format: '{series}{seq}' } } })).toMatchObject({
    error: { code: 'validation_error', details: { 'series.standard.format': [expect.stringContaining('{seq}')] } },
  });
  await patch({ series: { standard: { code: 'AL', format: '{seq}/{year}' } } });
  expect(await submitted()).toMatchObject({ status: 'submitting', number: expect.stringMatching(/^1\/\d{4}$/) });
  await patch({ series: { standard: { code: 'AL2' } } });
  expect(await submitted()).toMatchObject({
    error: { code: 'validation_error', details: { series: [expect.stringContaining('of series AL.')] } },
  });
  await patch({ series: { standard: { code: 'AL' } } });
  expect(await submitted()).toMatchObject({ number: expect.stringMatching(/^2\/\d{4}$/) });
});

test('metrics: lag of each subscription, appended events', async () => {
  const lags = await register.getSingleMetricAsString('svc_subscription_lag_seconds');
  for (const subscription of [...servedProjections.map(({ name }) => name), 'publishing', 'unfinished', 'erasing']) {
    expect(lags).toContain(`svc_subscription_lag_seconds{subscription="invoicing.${subscription}"}`);
  }
  expect(await register.getSingleMetricAsString('svc_events_appended_total')).toMatch(
    /svc_events_appended_total\{service="invoicing"\} [1-9]/,
  );
});
