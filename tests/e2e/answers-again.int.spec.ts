import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Engine } from '@svc/embedded';
import { ensureDemoAccount, type DemoAccount, type Gateway } from '@svc/gateway';
import { createKey } from '@svc/gateway/keys/create-key';
import { createIds, dayIn, plusDays, systemClock as clock } from '@svc/kernel';
import { createLogger, Health, newKeyRing, parseKeyRing } from '@svc/service';
import { composeSystem, embeddedPorts } from '@svc/standalone/compose';
import { phrases } from '@svc/standalone/phrases';

let folder = mkdtempSync(join(tmpdir(), 'again-'));
const ring = parseKeyRing(newKeyRing());
const logger = createLogger({ level: 'silent', service: 'test' });

let engine: Engine;
let app: NestFastifyApplication;
let gateway: Gateway;
let demo: DemoAccount;

async function start(): Promise<void> {
  engine = Engine.open(folder, { phrases, durable: false });
  ({ app, gateway } = await composeSystem(
    {
      ...{ clock, ids: createIds(clock), logger, health: new Health(clock), ringOf: () => ring, publicUrl: 'https://api.example' },
      ...{ simulatorUrl: 'http://localhost:1', pace: 'live', holder: 'test', webhooks: { allowed: [], delays: [60_000] } },
      edge: { HOSTS: new Map(), REQUIRE_HTTPS: false, TRUSTED_PROXIES: [] },
      authorityHttp: () => Promise.reject(new Error('no authority')),
    },
    embeddedPorts({ engine, clock, logger }),
  ));
  demo = (await ensureDemoAccount(gateway.accounts, { plan: 'enterprise', email: 'demo@example.com' })) ?? demo;
}
async function stop(): Promise<void> {
  await app.close();
  engine.close();
}
async function restart(): Promise<void> {
  await stop();
  await start();
}
/** Goes on with the folder as kill -9 would leave it now. */
async function crash(): Promise<void> {
  const left = mkdtempSync(join(tmpdir(), 'again-'));
  cpSync(folder, left, { recursive: true, filter: (file) => !file.endsWith('-shm') });
  await stop();
  rmSync(folder, { recursive: true });
  folder = left;
  await start();
}
beforeAll(start);
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

type Body = Record<string, unknown>;
interface Answer {
  status: number;
  text: string;
  headers: Record<string, unknown>;
  body: Body;
}
async function call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, more: Record<string, string> = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${demo.test_key}`, ...more };
  const {
    statusCode,
    body: text,
    headers: answered,
  } = await app.inject({ method, url: `/v1${path}`, headers, ...(body && { payload: body }) });
  const { etag, 'content-type': type, 'preference-applied': applied, 'idempotent-replayed': replayed } = answered;
  return { status: statusCode, text, headers: { etag, type, applied, replayed }, body: JSON.parse(text) as Body };
}
let last = 0;
const newKey = (): string => `key ${(last += 1)}`.replace(' ', '-');
const customer = async (name: string): Promise<string> =>
  String((await call('POST', '/customers', { name, address: { country: 'FR' } })).body['id']);
const draftOf = (customer_id: string, over: object = {}) => ({
  ...{ customer_id, items: [{ description: 'Größe "株式"', quantity: 3, unit_price: '0.3333333', tax_rate: 20 }] },
  ...over,
});
const post = (body: object, key: string, more: Record<string, string> = {}): Promise<Answer> =>
  call('POST', '/invoices', body, { 'idempotency-key': key, ...more });
const kept = async () => Array.fromAsync(gateway.idempotencyRows.find({}));
const replayed = ({ status, text, headers }: Answer) => ({ status, text, headers: { ...headers, replayed: 'true' } });
const seen = ({ status, text, headers }: Answer) => ({ status, text, headers });

test('a repeat has the bytes and headers of the first answer, whatever happened to draft and customer since, also after kill -9', async () => {
  const id = await customer('Before');
  const [key, body] = [newKey(), draftOf(id)];
  const first = await post(body, key);
  expect(first).toMatchObject({ status: 201, body: { customer_name: 'Before', version: 1 }, headers: { etag: '"1"' } });
  expect(await kept()).toEqual([expect.objectContaining({ answer: null, subject: null, until: 0, again: { from: '1' } })]);
  const repeats = async () => expect(seen(await post(body, key))).toEqual(replayed(first));
  await repeats();
  await call('PATCH', `/customers/${id}`, { name: 'After' });
  await call('PATCH', `/invoices/${String(first.body['id'])}`, { notes: 'changed' });
  await repeats();
  await crash();
  await repeats();
  await restart();
  await repeats();
  expect((await post(draftOf(id), newKey())).body).toMatchObject({ customer_name: 'After' });
});

test('a repeat of a new customer has the first answer, and after an erasure what is left', async () => {
  const key = newKey();
  const body = { name: 'Jo "Tallow"', tax_ids: [{ country: 'FR', value: '1', kind: 'other' }], address: { country: 'FR', city: 'Ÿ' } };
  const ask = () => call('POST', '/customers', body, { 'idempotency-key': key });
  const first = await ask();
  expect(first.status).toBe(201);
  const path = `/customers/${String(first.body['id'])}`;
  expect((await kept()).some((row) => JSON.stringify(row).includes('Tallow'))).toBe(false);
  await call('PATCH', path, { name: 'After' });
  await crash();
  expect(seen(await ask())).toEqual(replayed(first));
  const erased = await call('POST', `${path}/erase`);
  expect(await ask()).toMatchObject({ status: 201, text: erased.text, headers: { replayed: undefined } });
});

test('a repeat has the form of the first answer, whichever it asks for', async () => {
  const [asText, asNumber, body] = [newKey(), newKey(), draftOf(await customer('Jo'))];
  const texts = { prefer: 'amounts=string' };
  const [first, plain] = [await post(body, asText, texts), await post(body, asNumber)];
  expect([first.headers['applied'], first.body['total'], plain.body['total']]).toEqual(['amounts=string', '1.2', 1.2]);
  for (const more of [texts, {}]) {
    expect(seen(await post(body, asText, more))).toEqual(replayed(first));
    expect(seen(await post(body, asNumber, more))).toEqual(replayed(plain));
  }
});

test('a repeat of who saw no personal data has none, whoever sends it', async () => {
  const [key, body] = [newKey(), draftOf(await customer('Hidden'))];
  const of = { account: demo.account_id, env: 'test', name: 'till', expiresAt: null, personalData: false } as const;
  const { value } = await createKey(gateway.accounts, { ...of, permissions: ['*'] }, { actor: { type: 'system', id: 'test' } });
  const blind = { authorization: `Bearer ${value}` };
  const first = await post(body, key, blind);
  expect(first).toMatchObject({ status: 201, body: { customer_name: null } });
  for (const who of [blind, {}]) expect(seen(await post(body, key, who))).toEqual(replayed(first));
  const other = newKey();
  await post(body, other);
  expect((await post(body, other, blind)).body).toMatchObject({ customer_name: null });
});

test('of twenty at once one makes a draft, and later ones get its answer', async () => {
  const [key, body] = [newKey(), draftOf(await customer('Many'))];
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(body, key)));
  const [made, ...more] = answers.filter(({ status }) => status === 201);
  expect([more.every(({ text }) => text === made?.text), answers.filter(({ status }) => status === 409).length]).toEqual([
    true,
    19 - more.length,
  ]);
  expect(seen(await post(body, key))).toEqual(replayed(made as Answer));
  expect((await post(draftOf(await customer('Other')), key)).body['error']).toMatchObject({ code: 'idempotency_key_reused' });
});

test('a process that dies between the commit and the answer leaves both: a repeat gets the answer, and there is one draft', async () => {
  const [key, body] = [newKey(), draftOf(await customer('Killed'), { metadata: { killed: 'yes' } })];
  const events = () => Number(engine.sql(`SELECT count(*) AS n FROM events`).get()?.['n']);
  const before = events();
  const lost = post(body, key);
  while (events() === before) await nextTurn();
  await crash();
  await lost;
  const again = await post(body, key);
  expect(again).toMatchObject({ status: 201, headers: { replayed: 'true', etag: '"1"' }, body: { customer_name: 'Killed' } });
  expect(seen(await post(body, key))).toEqual(seen(again));
  const { body: list } = await call('GET', `/invoices?customer_id=${String(again.body['customer_id'])}`);
  expect(list['data']).toHaveLength(1);
});

test('of an erased customer a repeat shows the draft without the name', async () => {
  const id = await customer('Tallowby');
  const [key, body] = [newKey(), draftOf(id)];
  const first = await post(body, key);
  await call('POST', `/customers/${id}/erase`);
  const again = await post(body, key);
  expect(again).toMatchObject({
    status: 201,
    headers: { replayed: 'true' },
    body: { ...first.body, customer_name: null, warnings: expect.anything() },
  });
});

test('of an erased customer no answer that was kept itself has the name', async () => {
  const id = await customer('Tallowby');
  const draft = draftOf(id, { due_date: plusDays(dayIn('UTC', clock.now()), -2) });
  const asked = [
    ['/invoices', draft],
    ['/invoices/batch', { requests: [draft] }],
  ] as const;
  const ask = () => Promise.all(asked.map(([path, body]) => call('POST', path, body, { 'idempotency-key': `erased-${path.length}` })));
  for (const { text } of await ask()) expect(text).toContain('Tallowby');
  await call('POST', `/customers/${id}/erase`);
  const named = async () => (await kept()).filter((row) => JSON.stringify(row).includes('Tallowby'));
  for (const until = clock.now() + 10_000; (await named()).length > 0 && clock.now() < until;) await clock.sleep(50);
  expect(await named()).toEqual([]);
  for (const { status, text } of await ask()) expect([status < 300, text.includes('Tallowby')]).toEqual([true, false]);
});

test.each<[string, (id: string) => object]>([
  ['a warning depends on the day', (id) => draftOf(id, { due_date: plusDays(dayIn('UTC', clock.now()), -2) })],
  ['it is long', (id) => draftOf(id, { notes: 'x'.repeat(4_000) })],
  ['it is refused', () => ({ items: [] })],
])('the answer itself is kept where %s', async (_, bodyOf) => {
  const [key, body] = [newKey(), bodyOf(await customer('Kept'))];
  const first = await post(body, key);
  expect(seen(await post(body, key))).toEqual(replayed(first));
  expect((await kept()).filter(({ answer }) => answer?.body === first.text)).toHaveLength(1);
});

test('a draft that is due later is answered again', async () => {
  const [key, body] = [newKey(), draftOf(await customer('Due'), { due_date: plusDays(dayIn('UTC', clock.now()), 30) })];
  const first = await post(body, key);
  expect(seen(await post(body, key))).toEqual(replayed(first));
  expect((await kept()).some(({ answer }) => answer?.body === first.text)).toBe(false);
});
