import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Engine } from '@svc/embedded';
import { ensureDemoAccount, type DemoAccount, type Gateway } from '@svc/gateway';
import { createIds, systemClock as clock } from '@svc/kernel';
import { createLogger, Health, newKeyRing, parseKeyRing } from '@svc/service';
import { composeSystem, embeddedPorts } from '@svc/standalone/compose';
import { phrases } from '@svc/standalone/phrases';

const folder = mkdtempSync(join(tmpdir(), 'storage-'));
const ring = parseKeyRing(newKeyRing());
const logger = createLogger({ level: 'silent', service: 'test' });
/** An eighth of the events of one batch below. */
const QUOTA = 300_000;
/** By which a count may be late. */
const LATE_MS = 10_000;

let engine: Engine;
let app: NestFastifyApplication;
let gateway: Gateway;
let demo: DemoAccount;

async function start(): Promise<void> {
  engine = Engine.open(folder, { phrases });
  ({ app, gateway } = await composeSystem(
    {
      ...{ clock, ids: createIds(clock), logger, health: new Health(clock), ringOf: () => ring, publicUrl: 'https://api.example' },
      ...{ simulatorUrl: 'http://localhost:1', pace: 'live', holder: 'test', webhooks: { allowed: [], delays: [60_000] } },
      edge: { HOSTS: new Map(), REQUIRE_HTTPS: false, TRUSTED_PROXIES: [] },
      authorityHttp: () => Promise.reject(new Error('no authority')),
    },
    embeddedPorts({ engine, clock, logger }),
  ));
  demo = (await ensureDemoAccount(gateway.accounts, { plan: 'professional', email: 'demo@example.com' })) ?? demo;
}
const stop = async (): Promise<void> => {
  await app.close();
  engine.close();
};
beforeAll(start);
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

async function call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) {
  const headers = { authorization: `Bearer ${demo.test_key}` };
  const {
    statusCode,
    body: text,
    headers: answered,
  } = await app.inject({ method, url: `/v1${path}`, headers, ...(body && { payload: body }) });
  const parsed = JSON.parse(text) as { id: string; error?: { code: string }; data: { resource: { id: string } }[] };
  return { status: statusCode, code: parsed.error?.code, used: Number(answered['x-storage-used'] ?? 0), body: parsed };
}

/** The used part of the storage, once it is known to be at least that. */
async function usedAtLeast(part: number): Promise<number> {
  for (const until = clock.now() + LATE_MS; clock.now() < until; await clock.sleep(200)) {
    const { used } = await call('GET', '/account');
    if (used >= part) return used;
  }
  return (await call('GET', '/account')).used;
}

test('a batch that stores megabytes uses up the storage within 10 s: creating is refused, what was begun can be ended, also after a restart', async () => {
  await gateway.accounts.store.accounts.claim({ _id: demo.account_id }, { set: { limits: { storage: QUOTA } } });
  gateway.accounts.forget();
  const { body: customer } = await call('POST', '/customers', { name: 'Ana' });
  const { body: product } = await call('POST', '/products', { name: 'Hour', description: 'x'.repeat(2_000), unit_price: 1, tax_rate: 0 });
  const requests = Array.from({ length: 12 }, () => ({
    customer_id: customer.id,
    items: Array.from({ length: 100 }, () => ({ product_id: product.id })),
  }));
  const made = await call('POST', '/invoices/batch', { requests });
  const [draft, issued] = made.body.data.map(({ resource }) => resource.id);
  expect(await usedAtLeast(1)).toBe(1);

  const expectRefusals = async (): Promise<void> => {
    const refused = [
      await call('POST', '/customers', { name: 'Eva' }),
      await call('POST', '/products', { name: 'Day', unit_price: 1 }),
      await call('POST', '/invoices', requests[0]),
      await call('POST', '/invoices/batch', { requests }),
      await call('POST', '/receipts', { items: [{ description: 'x', unit_price: 1 }], payment_method: 'cash' }),
      await call('POST', '/webhooks', { url: 'https://hooks.example/in', events: ['*'] }),
    ];
    expect(refused.map(({ status, code }) => `${status} ${code}`)).toEqual(refused.map(() => '422 storage_quota_exceeded'));
  };
  await expectRefusals();
  const done = [
    await call('GET', '/invoices?per_page=1'),
    await call('PATCH', `/invoices/${issued}`, { notes: 'mended' }),
    await call('POST', `/invoices/${issued}/submit`),
    await call('POST', `/invoices/${draft}/void`),
    await call('POST', '/invoices/preview', requests[0]),
  ];
  expect(done.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);

  await stop();
  await start();
  expect(await usedAtLeast(1)).toBe(1);
  await expectRefusals();
}, 60_000);
