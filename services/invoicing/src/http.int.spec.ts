import { Module, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createProjections, PROJECTIONS } from '@svc/event-store';
import { createApp, fastifyOf } from '@svc/service';
import { CONTEXT } from './context.ts';
import { CUSTOMERS, CustomersController } from './customer/http.ts';
import { customersProjection } from './customer/list.ts';
import { IS_WAITING, ISSUERS, IssuerController } from './issuer/http.ts';
import { PRODUCTS, ProductsController } from './product/http.ts';
import { productsProjection } from './product/list.ts';
import { termsSources } from './registrations.ts';
import { createTerms, TERMS } from './terms/list-terms.ts';
import { callerOf, dataFolder, openSystem } from './testing/open-system.ts';
import { validQuery } from './testing/valid-query.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
const projections = createProjections(system.documents, system.subscribing);
const terms = createTerms(system.documents, system.subscribing, termsSources);
const followed = terms.start();
const running = [projections.start(customersProjection), projections.start(productsProjection)];

@Module({})
class Served {
  static forRoot(): DynamicModule {
    return {
      module: Served,
      controllers: [CustomersController, ProductsController, IssuerController],
      providers: [
        { provide: CONTEXT, useValue: system.context },
        { provide: PROJECTIONS, useValue: projections },
        { provide: TERMS, useValue: terms },
        { provide: CUSTOMERS, useValue: system.customers },
        { provide: PRODUCTS, useValue: system.products },
        { provide: ISSUERS, useValue: system.issuers },
        { provide: IS_WAITING, useValue: async () => false },
      ],
    };
  }
}

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await createApp(Served.forRoot(), { logger: system.logger });
  // In place of the gateway.
  fastifyOf(app).addHook('onRequest', async (request) => {
    request.identity = callerOf(system);
    request.query = validQuery(request);
  });
  await app.init();
  await fastifyOf(app).ready();
});
afterAll(async () => {
  await app.close();
  await Promise.all([...running.map(({ subscription }) => subscription), followed].map((subscription) => subscription.stop()));
  system.engine.close();
  folder.remove();
});

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await fastifyOf(app).inject({ method, url: `/v1${path}`, headers, ...(body ? { payload: body } : {}) });
  return { status: answer.statusCode, body: answer.json() as Record<string, never>, etag: answer.headers.etag };
}

test('a customer over HTTP: created, read, changed, deleted, listed', async () => {
  const made = await call('POST', '/customers', { name: '  Cafe\u0301 ', email: 'a@b.example' });
  expect([made.status, made.body['name'], made.etag]).toEqual([201, 'Caf\u00e9', '"1"']);
  const path = `/customers/${String(made.body['id'])}`;
  expect((await call('GET', path)).body).toEqual(made.body);
  expect(await call('PATCH', path, { email: null }, { 'if-match': '"1"' })).toMatchObject({
    status: 200,
    body: { email: null, version: 2 },
    etag: '"2"',
  });
  expect((await call('PATCH', path, { name: 'x' }, { 'if-match': '"1"' })).status).toBe(412);
  const { body: list } = await call('GET', '/customers?q=caf');
  expect(list).toMatchObject({ data: [{ id: made.body['id'], version: 2 }], meta: { total: 1 } });
  const gone = await call('DELETE', path, undefined, { 'if-match': '"2"' });
  expect(gone).toMatchObject({ status: 200, body: { deleted_at: expect.stringMatching(/Z$/), version: 3 } });
  expect((await call('GET', path)).body).toEqual(gone.body);
  expect((await call('PATCH', path, { name: 'x' })).body).toMatchObject({ error: { code: 'invalid_state' } });
  expect((await call('GET', '/customers')).body).toMatchObject({ meta: { total: 0 } });
});

test('a customer is erased over HTTP: no personal field is left, and repeating it changes nothing', async () => {
  const person = { name: 'Quentin Zuse', email: 'q@zuse.example', phone: '+49 30 1', tax_id: 'AB-1', address: { city: 'Bonn' } };
  const { body: made } = await call('POST', '/customers', { ...person, language: 'de', metadata: { a: 'b' } });
  const path = `/customers/${String(made['id'])}`;
  expect((await call('POST', `${path}/erase`, {}, { 'if-match': '"7"' })).status).toBe(412);
  const gone = await call('POST', `${path}/erase`, {}, { 'if-match': '"1"' });
  const noData = { name: null, email: null, phone: null, tax_id: null, address: null };
  const at = expect.stringMatching(/Z$/) as unknown;
  expect(gone).toMatchObject({
    ...{ status: 200, etag: '"2"' },
    body: { ...noData, language: 'de', metadata: { a: 'b' }, version: 2, erased_at: at, deleted_at: at },
  });
  expect((await call('POST', `${path}/erase`)).body).toEqual(gone.body);
  expect((await call('DELETE', path)).body).toEqual(gone.body);
  expect((await call('PATCH', path, { name: 'x' })).body).toMatchObject({ error: { code: 'invalid_state' } });
  expect((await call('GET', path)).body).toEqual(gone.body);
  expect((await call('GET', '/customers?deleted=true&sort=name')).body['data']).toContainEqual(gone.body);
  for (const query of ['q=quentin', 'email=q@zuse.example', 'tax_id=AB-1'])
    expect((await call('GET', `/customers?deleted=all&${query}`)).body).toMatchObject({ meta: { total: 0 } });
  expect((await call('POST', '/customers/cust_01jh2k3m4n5p6q7r8s9t0v1w2x/erase')).status).toBe(404);
});

test('a product over HTTP: created, read, changed, deleted, listed', async () => {
  const body = { name: 'Feed', sku: 'FEED-1', unit: 'KGM', unit_price: '9.50', currency: 'EUR', metadata: { a: 'b' } };
  const made = await call('POST', '/products', { ...body, tax_rate: 10 });
  expect(made).toMatchObject({
    status: 201,
    etag: '"1"',
    body: {
      ...body,

      unit_price: 9.5,
      taxes: [{ category: 'VAT', rate: 10, code: 'S' }],
      active: true,
      deleted_at: null,
    },
  });
  const path = `/products/${String(made.body['id'])}`;
  expect((await call('GET', path)).body).toEqual(made.body);
  expect((await call('POST', '/products', body)).body).toMatchObject({
    error: { code: 'validation_error', details: { sku: [expect.stringContaining(String(made.body['id']))] } },
  });
  const other = await call('POST', '/products', { name: 'Fence', active: false });
  expect(await call('PATCH', path, { taxes: null }, { 'if-match': '"1"' })).toMatchObject({
    status: 200,
    body: { taxes: null },
    etag: '"2"',
  });
  expect((await call('PATCH', path, { name: 'x' }, { 'if-match': '"1"' })).status).toBe(412);
  const found = async (query: string) =>
    ((await call('GET', `/products?${query}`)).body['data'] as unknown as { id: string }[]).map(({ id }) => id);
  const [feed, fence] = [String(made.body['id']), String(other.body['id'])];
  expect(await found('q=fE')).toEqual([fence, feed]);
  expect(await found('q=fE&sort=name')).toEqual([feed, fence]);
  expect(await found('sku=FEED-1&q=feed')).toEqual([feed]);
  const gone = await call('DELETE', path, undefined, { 'if-match': '"2"' });
  expect(gone).toMatchObject({ status: 200, body: { active: false, deleted_at: expect.stringMatching(/Z$/), version: 3 } });
  expect((await call('GET', path)).body).toEqual(gone.body);
  expect((await call('PATCH', path, { name: 'x' })).body).toMatchObject({ error: { code: 'invalid_state' } });
  expect(await found('')).toEqual([fence]);
  expect((await call('POST', '/products', { sku: 'x' })).body).toMatchObject({ error: { details: { name: [expect.any(String)] } } });
});

test('errors name the wrong fields', async () => {
  expect((await call('POST', '/customers', { name: '', colour: 'red' })).body).toMatchObject({
    error: { code: 'validation_error', details: { name: [expect.any(String)], colour: [expect.any(String)] } },
  });
  expect((await call('POST', '/customers', { name: 'x', tax_id: 'J99216583', address: { country: 'ES' } })).body).toMatchObject({
    error: { code: 'validation_error', details: { tax_id: [expect.any(String)] } },
  });
  for (const id of ['cust_00000000000000000000000000', 'nonsense', 'inv_00000000000000000000000000']) {
    expect((await call('GET', `/customers/${id}`)).status).toBe(404);
  }
  expect((await call('PATCH', '/issuer', { currency: 'EURO', time_zone: 'Mars/Olympus' })).body).toMatchObject({
    error: { details: { currency: [expect.any(String)], time_zone: [expect.any(String)] } },
  });
});

test('the issuer over HTTP', async () => {
  const before = await call('GET', '/issuer');
  expect(before).toMatchObject({ status: 200, etag: '"1"', body: { object: 'issuer', default_tax_rate: 20 } });
  const now = await call('PATCH', '/issuer', { default_tax_rate: '7.50', units: [{ code: 'U1', devices: ['T1'] }] }, { 'if-match': '"1"' });
  expect(now).toMatchObject({ status: 200, etag: '"2"', body: { default_tax_rate: 7.5, units: [{ code: 'U1', devices: ['T1'] }] } });
  expect((await call('GET', '/issuer')).body).toEqual(now.body);
});
