import { eventually } from '@svc/testkit';
import { openAccount } from '../accounts.ts';
import { item } from '../api-fixture.ts';
import { missing, samplesIn, usedMetrics } from '../metrics-used.ts';
import type { Shared } from './shared-system.ts';

/** What a form of the system does not have. */
const ONE_PROCESS = /^svc_(?:disk|embedded|wal)_/;
const SEPARATE = /^svc_(?:consumer_lag_events|proxy_failures_total|upstream_unhealthy_replicas)$/;
/** Of an authority that is called by https, which the sandbox's is not: certificate.int.spec.ts of fiscal-submission has one. */
const HTTPS = 'svc_authority_certificate_expiry_timestamp_seconds';
/** Of scheduled backups, which are off here: scheduled-backups.embedded.e2e.spec.ts has them. */
const BACKUPS = /^svc_backup_/;

/** Of requests it has the routes and statuses that were. */
export function testUsedMetrics(shared: () => Shared): void {
  const isThere = (name: string): boolean => !(shared().system.servers ? ONE_PROCESS : SEPARATE).test(name);
  const isHttp = (label: string): boolean => ['status', 'route'].includes(label);
  const isServer = (label: string): boolean => label === 'server' || label === 'store';

  beforeAll(async () => {
    const { test: call } = await openAccount(shared().system, 'Used');
    const { body: customer } = await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } });
    // The second number of a series is compared with the first: the newest number is a clock, too.
    for (let n = 0; n < 2; n += 1) {
      const { body } = await call<{ id: string }>('POST', '/invoices', { body: { customer_id: customer.id, items: [item] } });
      await call('POST', `/invoices/${body.id}/submit`, { headers: { prefer: 'wait=10' } });
    }
  });
  async function metrics(): Promise<string> {
    const all = await Promise.all(
      shared()
        .system.allOps()
        .map(async (ops) => (await fetch(`${ops}/metrics`)).text()),
    );
    return all.join('\n');
  }

  test('every metric and label of a rule, a dashboard or a scaler is in /metrics', async () => {
    const used = usedMetrics().filter(({ name }) => isThere(name) && name !== HTTPS && !BACKUPS.test(name));
    expect(used.length).toBeGreaterThan(100);
    await eventually(async () => {
      const samples = samplesIn(await metrics());
      const absent = used.flatMap((one) => missing(one, samples, (label) => isHttp(label) || isServer(label)) ?? []);
      if (absent.length > 0) throw new Error([...new Set(absent)].join('\n'));
      return true;
    }, 'all metrics');
  });

  test('the servers of the rules are those that the processes name', async () => {
    const { servers } = shared().system;
    const named = usedMetrics().flatMap(({ name, matchers }) =>
      matchers.filter(([label]) => name === 'svc_server_up' && label === 'server'),
    );
    const known = new Set(
      samplesIn(await metrics()).flatMap(({ name, labels: { server } }) => (name === 'svc_server_up' && server ? [server] : [])),
    );
    expect(named.length).toBeGreaterThan(0);
    const wanted = servers ? ['eventstoredb', 'kafka', 'mongodb'] : ['data folder'];
    expect([...known].sort()).toEqual(wanted);
    expect(named.map(([, , server]) => server)).toEqual(expect.arrayContaining(wanted));
  });

  test('the certificates of authorities are measured, though none is called by https here', async () => {
    expect(usedMetrics().some(({ name }) => name === HTTPS)).toBe(true);
    expect(await metrics()).toContain(`# TYPE ${HTTPS} gauge`);
  });
}
