import { randomUUID } from 'node:crypto';
import { client, type Call, startProcesses, type Processes, type Replica } from '@svc/testkit';
import { HUGE } from '../../e2e/testing/accounts.ts';
import { sleep } from '../../e2e/testing/retrying-client.ts';
import { openAccountOf } from '../testing/account.ts';

const PER_SECOND = 20;
const WATCHED_MS = 8_000;
/** For a list with the write before it, and on a machine that is busy with something else: then a request beside it that needs nothing takes longer, too. */
const [SOON_MS, AT_ALL_MS] = [7_000, 12_000];
const FINE_MS = 100;

let system: Processes;
beforeAll(async () => void (system = await startProcesses({ replicas: 2 })));
afterAll(() => system?.stop());

/** Lists of each service; those of documents and customers behind a write that they have to show. */
async function listsOf(call: Call): Promise<(() => ReturnType<Call>)[]> {
  const customer = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body;
  const body = { customer_id: customer.id, items: [{ description: 'x', unit_price: 100 }] };
  const { id } = (await call<{ id: string }>('POST', '/invoices', { body })).body;
  await call('POST', `/invoices/${id}/submit`, { headers: { prefer: 'wait=20' } });
  const behind = (path: string, sent: object) => async () => {
    const { status, text } = await call('POST', path, { body: sent, headers: { 'idempotency-key': randomUUID() } });
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
    return call('GET', path, { query: { per_page: 5 } });
  };
  return [
    behind('/invoices', body),
    () => call('GET', `/invoices/${id}/attempts`),
    () => call('GET', '/webhooks'),
    behind('/customers', { name: 'Another' }),
    () => call('GET', '/reports/sales'),
    () => call('GET', '/api-keys'),
    () => call('GET', '/events', { query: { per_page: 5 } }),
    () => call('GET', '/requests'),
  ];
}

/** A list waits for the lease of a process that died, 4 s, and for what takes it over: less than the 10 s after which it would fail. */
test.each(['invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting', 'gateway'])(
  'a replica of %s that is killed for good fails no list of any service',
  async (service) => {
    const { test_key } = await openAccountOf(system, `Killed ${service}`, HUGE);
    const slowest: string[] = [];
    // One of both held the leases of the service at the time it was killed.
    for (const replica of system.replicasOf(service)) {
      const gateway = system.replicasOf('gateway').find((one) => one !== replica) as Replica;
      const lists = await listsOf(client(`${gateway.url}/v1`, test_key));
      const operators = client(gateway.ops);
      await replica.stop('SIGKILL');
      const began = Date.now();
      const under: Promise<{ what: string; tookMs: number; besideMs: number }>[] = [];
      for (; Date.now() - began < WATCHED_MS; await sleep(1_000 / PER_SECOND)) {
        const askedAt = Date.now();
        const since = (): number => Date.now() - askedAt;
        const beside = operators('GET', '/healthz').then(since);
        const list = lists[under.length % lists.length] as (typeof lists)[number];
        const listed = list().then(({ status, text }) => ({ what: status === 200 ? 'done' : `${status} ${text}`, tookMs: since() }));
        under.push(Promise.all([listed, beside]).then(([one, besideMs]) => ({ ...one, besideMs })));
      }
      const all = await Promise.all(under);
      expect(all.map(({ what }) => what).filter((what) => what !== 'done')).toEqual([]);
      const isBusy = all.some(({ besideMs }) => besideMs > FINE_MS);
      slowest.push(`${Math.max(...all.map(({ tookMs }) => tookMs))} ms${isBusy ? ', on a busy machine' : ''}`);
      expect(all.filter(({ tookMs }) => tookMs > (isBusy ? AT_ALL_MS : SOON_MS))).toEqual([]);
      await replica.start();
    }
    console.log(`${service}: the slowest lists after each kill: ${slowest.join(' and ')}`);
  },
);
