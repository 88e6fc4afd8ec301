import { client, eventually, type System } from '@svc/testkit';
import { openAccount } from '../accounts.ts';
import { item } from '../api-fixture.ts';
import { checkedClient } from '../checked-client.ts';
import type { Shared } from './shared-system.ts';

interface Sample {
  name: string;
  labels: string;
  value: number;
}

/** Counts requests from the start of the system: no other test comes before. */
export function testObservability(shared: () => Shared): void {
  let system: System;
  beforeAll(async () => {
    const { receiver } = shared();
    system = shared().system;
    const { test: call } = await openAccount(system, 'Measured');
    await call('POST', '/webhooks', { body: { url: `${receiver.origin}/hook`, events: ['*'], description: 'x' } });
    const { body: customer } = await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } });
    const { body: invoice } = await call<{ id: string }>('POST', '/invoices', { body: { customer_id: customer.id, items: [item] } });
    await call('POST', `/invoices/${invoice.id}/submit`, { headers: { prefer: 'wait=25' } });
    await call('POST', '/customers', { body: {} });
    await eventually(() => receiver.deliveries.length >= 3, 'webhooks');
  });
  async function samples(): Promise<Sample[]> {
    expect(system.allOps()).toContain(system.ops);
    const all = await Promise.all(
      system.allOps().map(async (ops) => {
        const response = await fetch(`${ops}/metrics`);
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
        return response.text();
      }),
    );
    return all
      .join('\n')
      .split('\n')
      .flatMap((line) => {
        const [, name, labels = '', value] = /^(\w+)(\{.*\})? (\S+)$/.exec(line) ?? [];
        return name === undefined ? [] : [{ name, labels, value: Number(value) }];
      });
  }
  const sum = (all: Sample[], name: string, label = ''): number =>
    all.filter((one) => one.name === name && one.labels.includes(label)).reduce((total, { value }) => total + value, 0);

  test('answers health and readiness with 200 and the checks', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { status, body } = await client(system.ops)<{ status: string }>('GET', path);
      expect([path, status, body.status]).toEqual([path, 200, 'ok']);
    }
  });

  test('measures subscriptions, appended events, requests and webhook attempts', async () => {
    const lagsIn = (found: Sample[]): Sample[] => found.filter(({ name }) => name === 'svc_follower_lag_seconds');
    const all = await eventually(async () => {
      const found = await samples();
      const isCaughtUp = lagsIn(found).every(({ value }) => value >= 0 && value < 5);
      return sum(found, 'svc_webhook_attempts_total') >= 3 && isCaughtUp ? found : undefined;
    }, 'webhook attempts by subscriptions that caught up');
    expect(lagsIn(all).length).toBeGreaterThanOrEqual(2);
    expect(sum(all, 'svc_events_appended_total')).toBeGreaterThanOrEqual(5);
    const requests = [...new Set(all.map(({ name }) => name))].filter((name) =>
      /^svc_\w*request\w*_seconds_(?:bucket|count|sum)$/.test(name),
    );
    expect(requests.sort().map((name) => name.replace(/.*_/, ''))).toEqual(['bucket', 'count', 'sum']);
    const count = requests.find((name) => name.endsWith('_count')) as string;
    expect(sum(all, count, 'POST /customers')).toBe(2);
    expect(
      sum(
        all.filter(({ labels }) => labels.includes('POST /customers')),
        count,
        '422',
      ),
    ).toBe(1);
  });

  test('uses no ids as labels', async () => {
    for (const { labels } of await samples()) expect(labels).not.toMatch(/(?:inv|cust|acct|we|whd|evt|req|key)_[0-9a-hjkmnp-tv-z]{26}/);
  });

  test('serves none of it on the public port, and /admin only with its token', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/admin/accounts'])
      expect([path, (await fetch(system.url + path)).status]).toEqual([path, 404]);
    for (const path of ['/healthz', '/metrics']) {
      const { status } = await checkedClient(system.url, system.setup.test_key)('GET', path);
      expect([path, status]).toEqual([path, 404]);
    }
    for (const token of [undefined, 'guess', system.setup.test_key])
      expect((await client(`${system.ops}/admin`, token)('POST', '/accounts', { body: { name: 'X', plan: 'free' } })).status).toBe(401);
  });
}

/** Ends the system. */
export function testStop(shared: () => Shared): void {
  test('is not ready while it stops', async () => {
    const { system } = shared();
    const stopping = system.kill('SIGTERM');
    const seen = new Set<number>();
    await eventually(async () => {
      const status = await fetch(`${system.ops}/readyz`).then(
        (response) => response.status,
        () => 0, // The port is closed.
      );
      seen.add(status);
      return status !== 200;
    }, 'readiness to end');
    expect([...seen].filter((status) => ![200, 503, 0].includes(status))).toEqual([]);
    expect(await stopping).toEqual({ code: 0, signal: null });
  });
}
