import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import { type ActionNoted, createLogger, Health, startOps, type Ops } from '@svc/service';
import { admin } from '@svc/service/admin/run-admin';
import { newDelivery } from '../delivery/delivery.ts';
import { contextOn, customerCreated, shopEndpoint } from '../delivery/testing/rows.ts';
import { createDeliveryWorker } from '../delivery/worker.ts';
import { storedEvent } from '../event/event.ts';
import { NO_PHASES } from '../sending/send.ts';
import { webhookCommands } from './admin-commands.ts';
import { webhookRoutes } from './admin-routes.ts';

const TOKEN = 'operators-token-of-thirty-two-characters';
const folder = mkdtempSync(join(tmpdir(), 'svc-operators-'));
const engine = Engine.open(folder, { durable: false });
const clock = new FakeClock();
const context = contextOn(engine, clock);
const shop = {
  ...shopEndpoint(),
  url: 'https://shop.example/x?secret=zz',
  failing_since: '2026-01-14T00:00:00.000Z',
  failure: 'it answered 410',
};
const event = storedEvent({ event: customerCreated, type: 'customer.created' });
const delivery = newDelivery(event, shop, clock.now());
const noted: ActionNoted[] = [];
const note = async (action: ActionNoted): Promise<void> => void noted.push(action);
let ops: Ops;
beforeAll(async () => {
  await context.endpoints.write([shop, { ...shopEndpoint(), _id: 'we_2', env: 'live' as const }].map((insert) => ({ insert })));
  await context.events.insert(event);
  await context.deliveries.insert({ ...delivery, status: 'failed', due_at: null, next_at: null });
  const worker = createDeliveryWorker(context, async () => ({ status: 200, body: 'zz@kestrelwood.example', phases: NO_PHASES }));
  const logger = createLogger({ level: 'silent', service: 'test' });
  ops = await startOps({
    host: '127.0.0.1',
    port: 0,
    health: new Health(),
    logger,
    admin: webhookRoutes({ context, worker, note }, TOKEN),
  });
  process.env['OPS_PORT'] = String(ops.port);
  process.env['OPS_TOKEN'] = TOKEN;
});
afterAll(async () => {
  delete process.env['OPS_TOKEN'];
  await ops.close();
  engine.close();
  rmSync(folder, { recursive: true });
});

const svc = async (...words: string[]) => JSON.stringify(await admin(webhookCommands, ['admin', ...words]));

test('/admin/webhooks needs the operators’ token, and says what is wrong with a request', async () => {
  const url = `http://127.0.0.1:${ops.port}/admin/webhooks`;
  expect((await fetch(`${url}/endpoints?failing=true`)).status).toBe(401);
  const headers = { authorization: `Bearer ${TOKEN}` };
  for (const path of ['/endpoints', '/endpoints?account=a&failing=true', '/deliveries', '/deliveries?endpoint=we_1&status=lost'])
    expect([path, (await fetch(url + path, { headers })).status]).toEqual([path, 422]);
  await expect(svc('deliveries', 'list', '--endpoint', 'we_typo')).rejects.toThrow('webhook endpoint');
  await expect(svc('deliveries', 'resend', '--endpoint', 'we_1', '--delivery', 'whd_typo')).rejects.toThrow('delivery');
});

test('an operator finds the endpoints of an account, and those that fail, without what their URLs hold', async () => {
  const ofAccount = await svc('endpoints', 'list', '--account', 'acct_1');
  expect(ofAccount).toContain('"id":"we_1"');
  expect(ofAccount).toContain('"id":"we_2"');
  const failing = await svc('endpoints', 'list', '--failing', 'true');
  expect(JSON.parse(failing)).toMatchObject({
    data: [{ id: 'we_1', account: 'acct_1', host: 'shop.example', failing_since: shop.failing_since, last_error: 'it answered 410' }],
    total: 1,
  });
  expect(failing).not.toContain('zz');
  expect(JSON.parse(await svc('endpoints', 'list', '--account', 'acct_1', '--after', 'we_1'))).toMatchObject({ data: [{ id: 'we_2' }] });
});

test('an operator lists the deliveries of an endpoint and sends one again, without what receivers answer', async () => {
  expect(JSON.parse(await svc('deliveries', 'list', '--endpoint', 'we_1', '--status', 'failed'))).toMatchObject({
    data: [{ id: delivery._id, event_id: event._id, status: 'failed', attempts: 0, last_attempt: null }],
  });
  expect(noted).toEqual([]);
  const sent = await svc('deliveries', 'resend', '--endpoint', 'we_1', '--delivery', delivery._id);
  expect(JSON.parse(sent)).toMatchObject({ status: 'succeeded', attempts: 1, last_attempt: { status_code: 200, error: null } });
  expect(sent).not.toContain('kestrelwood');
  expect(noted).toMatchObject([
    {
      account: 'acct_1',
      env: shop.env,
      type: 'webhook_endpoint',
      verb: 'resent',
      target: { id: 'we_1' },
      changes: { delivery: { to: delivery._id } },
    },
  ]);
  expect(JSON.parse(await svc('deliveries', 'list', '--endpoint', 'we_1', '--status', 'failed'))).toEqual({ data: [] });
  expect(JSON.parse(await svc('deliveries', 'list', '--endpoint', 'we_1', '--before', delivery._id))).toEqual({ data: [] });
});
