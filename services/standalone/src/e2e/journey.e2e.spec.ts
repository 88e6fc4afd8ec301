import { createHmac } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eventually, freePort, runProgram, startReceiver, startSystem, type Delivery, type System } from '@svc/testkit';
import { checkedClient } from './checked-client.suite.ts';

interface Invoice {
  id: string;
  status: string;
  number: string;
  fiscal_code: string;
  total: number;
  customer_id: string;
}

const item = { description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 };
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let system: System;
beforeAll(async () => {
  receiver = await startReceiver();
  system = await startSystem({ WEBHOOKS_ALLOW: receiver.origin });
}, 70_000);
afterAll(async () => {
  await system?.stop();
  await receiver.close();
});

const freePorts = async (): Promise<Record<string, string>> =>
  Object.fromEntries(await Promise.all(['PORT', 'OPS_PORT', 'SIMULATOR_PORT'].map(async (name) => [name, String(await freePort())])));
const dataFolder = (): string => join(system.dataDir, 'data');
const call: ReturnType<typeof checkedClient> = (...request) => checkedClient(system.url, system.setup.test_key)(...request);
const list = async (query: Record<string, string>): Promise<Invoice[]> =>
  (await call<{ data: Invoice[] }>('GET', '/invoices', { query })).body.data;

/** As a subscriber would verify it: both signatures, over the raw bytes. */
function verify({ raw, headers, body }: Delivery, secret: string): void {
  expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(raw).digest('hex'));
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']];
  expect(id).toBe(body.id);
  expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(120);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(raw).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signed}`);
}

describe('from nothing to a fiscal code', () => {
  let invoice: Invoice;
  let secret: string;
  let customer: { id: string };

  test('a webhook endpoint shows its secret once', async () => {
    const body = { url: `${receiver.origin}/hook`, events: ['invoice.submitted'], description: 'Shop' };
    const made = await call<{ id: string; secret: string }>('POST', '/webhooks', { body });
    expect(made.status).toBe(201);
    secret = made.body.secret;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await call('GET', `/webhooks/${made.body.id}`)).text).not.toContain(secret);
  });

  test('an invoice is created as a draft', async () => {
    const made = await call<{ id: string }>('POST', '/customers', { body: { name: 'Blue Door Books' } });
    expect(made.status).toBe(201);
    customer = made.body;
    const draft = await call<Invoice>('POST', '/invoices', { body: { customer_id: customer.id, currency: 'EUR', items: [item] } });
    expect(draft.status).toBe(201);
    expect(draft.body).toMatchObject({ object: 'invoice', status: 'draft', total: 120.6, number: null, fiscal_code: null });
    invoice = draft.body;
  });

  test('submitted, it has a number and a fiscal code', async () => {
    const { status, headers, body } = await call<Invoice>('POST', `/invoices/${invoice.id}/submit`, { headers: { prefer: 'wait=10' } });
    expect(status).toBe(200);
    expect(headers.get('preference-applied')).toBe('wait=10');
    expect(body).toMatchObject({
      status: 'submitted',
      number: expect.stringMatching(/^INV-\d{4}-000001$/),
      fiscal_code: expect.any(String),
    });
    invoice = body;
  });

  test('the subscriber is told, signed twice', async () => {
    const delivery = await eventually(() => receiver.deliveries[0], 'the webhook');
    verify(delivery, secret);
    const { id, number, status, fiscal_code, total, customer_id } = invoice;
    expect(delivery.body).toMatchObject({
      type: 'invoice.submitted',
      object: 'event',
      livemode: false,
      data: { id, number, status, fiscal_code, total, customer_id },
    });
  });

  test('lists and the sales report count it', async () => {
    expect(await list({ status: 'submitted' })).toEqual([(await call('GET', `/invoices/${invoice.id}`)).body]);
    const sum = await eventually(async () => {
      await new Promise((resolve) => setTimeout(resolve, 700)); // five reports a minute
      return (await call<{ totals: { documents: number; total: number; tax_total: number; currency: string }[] }>('GET', '/reports/sales'))
        .body.totals[0];
    }, 'the report');
    expect(sum).toMatchObject({ currency: 'EUR', documents: 1, total: 120.6, tax_total: 20.1 });
  });

  test('a second start on the same data folder is refused, and the first serves on', async () => {
    const { code, output } = await runProgram({ env: { ...(await freePorts()), DATA_DIR: dataFolder() } });
    expect(code).toBe(1);
    expect(output).toMatch(/data folder/);
    expect(output).not.toMatch(/^\s+at /m);
    expect((await call('GET', '/account')).status).toBe(200);
  });

  test('SIGTERM ends it within 30 s; the same folder has everything', async () => {
    const before = [await list({}), (await call('GET', `/customers/${customer.id}`)).body, (await call('GET', '/webhooks')).body];
    const asked = Date.now();
    expect(await system.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(Date.now() - asked).toBeLessThan(30_000);
    system = await system.restart();
    expect([await list({}), (await call('GET', `/customers/${customer.id}`)).body, (await call('GET', '/webhooks')).body]).toEqual(before);
    const { body: next } = await call<Invoice>('POST', '/invoices', { body: { customer_id: customer.id, items: [item] } });
    const { body } = await call<Invoice>('POST', `/invoices/${next.id}/submit`, { headers: { prefer: 'wait=10' } });
    expect(body.number).toMatch(/-000002$/);
    await eventually(() => receiver.deliveries.some(({ body: { data } }) => data.id === next.id), 'its webhook');
  }, 90_000);

  test('secrets are readable by their owner alone', () => {
    for (const path of [join(system.dataDir, 'setup.json'), join(dataFolder(), 'secrets.json'), join(dataFolder(), 'data.sqlite')])
      expect([path, (statSync(path).mode & 0o077).toString(8)]).toEqual([path, '0']);
  });

  test('a data folder of a newer version is refused, and left as it was', async () => {
    await system.kill('SIGTERM');
    const format = (change: (found: number) => number): void => {
      const db = new DatabaseSync(join(dataFolder(), 'data.sqlite'));
      const { user_version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
      db.exec(`PRAGMA user_version = ${change(user_version)}`);
      db.close();
    };
    format((found) => found + 1);
    const { code, output } = await runProgram({ env: { ...(await freePorts()), DATA_DIR: dataFolder() } });
    expect(code).toBe(1);
    expect(output).toMatch(/format/);
    format((found) => found - 1);
    system = await system.restart();
    expect(await list({})).toHaveLength(2);
  }, 90_000);
});

describe('settings', () => {
  test('every wrong one is named, with what it was and what it may be', async () => {
    const env = { PORT: 'eighty', LOG_LEVEL: 'loud', WEBHOOKS_RETRY_DELAYS: 'soon', DEMO_PLAN: 'golden', DATA_DIR: '/nowhere/at/all' };
    const { code, output } = await runProgram({ env });
    expect(code).toBe(1);
    for (const [name, was, may] of [
      ['PORT', 'eighty', '65535'],
      ['LOG_LEVEL', 'loud', 'debug'],
      ['WEBHOOKS_RETRY_DELAYS', 'soon', '1m'],
      ['DEMO_PLAN', 'golden', 'professional'],
    ] as const) {
      const line = output.split('\n').find((text) => text.includes(name)) ?? '';
      expect([name, line.includes(was), line.includes(may)]).toEqual([name, true, true]);
    }
    expect(output).not.toMatch(/^\s+at /m);
  });

  test('a wrong secret is named and not shown', async () => {
    const { code, output } = await runProgram({
      env: { ...(await freePorts()), SECRETS_KEY: 'v1:hunter2', DATA_DIR: join(system.dataDir, 'x') },
    });
    expect(code).toBe(1);
    expect(output).toContain('SECRETS_KEY');
    expect(output).not.toContain('hunter2');
  });

  test('--help prints every one with its default', async () => {
    const { code, output } = await runProgram({ args: ['--help'] });
    expect(code).toBe(0);
    const missing = (names: string): string[] => names.split(' ').filter((name) => !new RegExp(`\\b${name}\\b`).test(output));
    expect(missing('PORT HOST OPS_PORT PUBLIC_URL DATA_DIR SETUP_FILE ADMIN_TOKEN SECRETS_KEY DEMO_PLAN WEBHOOKS_ALLOW')).toEqual([]);
    expect(
      missing('WEBHOOKS_RETRY_DELAYS AUTHORITY_PACE SIMULATOR_PORT HOSTS REQUIRE_HTTPS LOG_LEVEL OTEL_EXPORTER_OTLP_ENDPOINT'),
    ).toEqual([]);
    expect(missing('EVENT_STORE_URL KAFKA_BROKERS MONGODB_URL INTERNAL_KEYS')).toEqual([]);
    for (const value of ['3000', '127.0.0.1', '.data', '1m,5m,30m,2h,24h', 'professional', 'info']) expect(output).toContain(value);
  });
});
