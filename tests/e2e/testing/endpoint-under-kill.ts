import { verifyWebhook } from '@svc/client';
import { client, eventually, startAs, startReceiver, type Call, type Delivery, type Kind, type System } from '@svc/testkit';
import { HUGE } from './accounts.ts';
import { everything, untilAnswered, withRetries } from './retrying-client.ts';

const EVENTS = 300;
const BATCH = 100;
interface Endpoint {
  secret: string;
  status: string;
  recovery: { status: string; matched: number; created: number; delivered: number; failed: number } | null;
}

/**
 * Defines the tests of one endpoint while the system is killed: in a recovery after each of so many webhooks, in a rotation of its secret, and while it is disabled. Several
 * services wait a minute for what the killed one had claimed.
 */
export function testEndpointUnderKill(kind: Kind, killedAfter: readonly number[]): void {
  let system: System;
  let hook: Awaited<ReturnType<typeof startReceiver>>;
  let call: Call;
  let id: string;
  let since: string;
  beforeAll(async () => {
    hook = await startReceiver(async () => (await new Promise((resolve) => setTimeout(resolve, 20)), 200));
    system = await startAs(kind, { WEBHOOKS_ALLOW: hook.origin });
    const { body } = await client(`${system.ops}/admin`, system.setup.admin_token)<{ test_key: string }>('POST', '/accounts', {
      body: { name: 'Endpoints', plan: 'enterprise', limits: HUGE },
    });
    call = client(`${system.url}/v1`, body.test_key);
    since = new Date(Date.now() - 1_000).toISOString();
    for (let n = 0; n < EVENTS; n += BATCH) {
      const requests = Array.from({ length: BATCH }, (_, k) => ({ name: `Customer ${n + k}` }));
      expect((await call('POST', '/customers/batch', { body: { requests } })).status).toBe(200);
    }
    const total = async () => (await call<{ meta: { total: number } }>('GET', '/events', { query: { per_page: 1 } })).body.meta.total;
    await eventually(async () => (await total()) === EVENTS, 'all events');
    const endpoint = { url: `${hook.origin}/late`, events: ['customer.created'], description: 'subscribed after the events' };
    id = (await call<{ id: string }>('POST', '/webhooks', { body: endpoint })).body.id;
  });
  afterAll(async () => {
    await system?.stop();
    await hook?.close();
  });

  const killed = async (): Promise<void> => {
    await system.kill('SIGKILL');
    system = await system.restart();
  };
  const read = async (): Promise<Endpoint> => (await call<Endpoint>('GET', `/webhooks/${id}`)).body;

  test('a recovery that kill -9 stops goes on at the next start, and delivers each event', async () => {
    const body = { since };
    const first = untilAnswered<{ matched: number; created: number }>([call], `/webhooks/${id}/recover`, body, 'recover');
    for (const count of killedAfter) {
      await eventually(() => hook.deliveries.length >= count, `${count} webhooks`, 90_000);
      await killed();
    }
    expect((await first).status).toBe(200);
    await eventually(async () => (await read()).recovery?.status === 'done', 'the end of the recovery', 180_000);
    expect((await read()).recovery).toMatchObject({ matched: EVENTS, created: EVENTS, delivered: EVENTS, failed: 0 });
    expect(new Set(hook.deliveries.map(({ body: event }) => event.id)).size).toBe(EVENTS);
    const log = await everything<{ status: string; event_id: string }>(call, `/webhooks/${id}/deliveries`);
    expect(log.map(({ status }) => status)).toEqual(Array(EVENTS).fill('succeeded'));
    expect(new Set(log.map(({ event_id }) => event_id)).size).toBe(EVENTS);
  }, 400_000);

  test('a rotation whose answer kill -9 has lost is answered with the secret that signs', async () => {
    const under = withRetries([call], `/webhooks/${id}/rotate-secret`, {}, 'rotate') as Promise<unknown>;
    await killed();
    const { secret } = (await under) as Endpoint;
    hook.deliveries.length = 0;
    await call('POST', '/customers', { body: { name: 'After the rotation' } });
    await eventually(() => hook.deliveries.length > 0, 'the webhook after the rotation', 90_000);
    const { headers, raw } = hook.deliveries[0] as Delivery;
    expect(verifyWebhook({ headers, body: raw }, secret)).toMatchObject({ type: 'customer.created' });
    const again = (await untilAnswered<Endpoint>([call], `/webhooks/${id}/rotate-secret`, {}, 'rotate')).body;
    expect(again.secret).toBe(secret);
  }, 240_000);

  test('an endpoint that is disabled when kill -9 comes receives nothing more until it is enabled, and then what it missed', async () => {
    const disable = call('PATCH', `/webhooks/${id}`, { body: { status: 'disabled' } }).catch(() => undefined);
    await killed();
    await disable;
    if ((await read()).status === 'enabled') await call('PATCH', `/webhooks/${id}`, { body: { status: 'disabled' } });
    expect((await read()).status).toBe('disabled');
    const from = new Date().toISOString();
    hook.deliveries.length = 0;
    const missed = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Missed' } })).body;
    await killed();
    await withRetries([call], `/webhooks/${id}/enable`, {}, 'enable');
    const { matched } = (await untilAnswered<{ matched: number }>([call], `/webhooks/${id}/recover`, { since: from }, 'again')).body;
    expect(matched).toBe(1);
    await eventually(() => hook.deliveries.length > 0, 'what it missed', 90_000);
    expect(new Set(hook.deliveries.map(({ body }) => body.data.id))).toEqual(new Set([missed.id]));
  }, 240_000);
}
