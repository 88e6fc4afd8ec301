import { randomUUID } from 'node:crypto';
import { client, type Call, startProcesses, type Processes } from '@svc/testkit';
import { HUGE } from '../../e2e/testing/accounts.ts';
import { sleep } from '../../e2e/testing/retrying-client.ts';
import { openAccountOf } from '../testing/account.ts';

const PER_SECOND = 20;
/** For a list with the document before it, and on a machine that is busy with something else: then a request beside it that needs nothing takes longer, too. */
const [SOON_MS, AT_ALL_MS] = [7_000, 12_000];
const FINE_MS = 100;

let system: Processes;
beforeAll(async () => void (system = await startProcesses({ replicas: 1, except: { invoicing: 2 } })));
afterAll(() => system?.stop());

/** A list waits for the lease of a process that died, 4 s, and for what takes it over: less than the 10 s after which it would fail. */
test('a replica that is killed for good fails no list', async () => {
  const { test_key } = await openAccountOf(system, 'Killed', HUGE);
  const call = client(`${system.gateways[0]}/v1`, test_key);
  const customer = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body;
  const body = { customer_id: customer.id, items: [{ description: 'x', unit_price: 100 }] };
  const operators = client(system.ops);
  const slowest: string[] = [];
  // One of both held the leases of the lists at the time it was killed.
  for (const replica of system.replicasOf('invoicing')) {
    await replica.stop('SIGKILL');
    const began = Date.now();
    const under: Promise<{ what: string; tookMs: number; besideMs: number }>[] = [];
    for (; Date.now() - began < 8_000; await sleep(1_000 / PER_SECOND)) {
      const askedAt = Date.now();
      const since = (): number => Date.now() - askedAt;
      const beside = operators('GET', '/healthz').then(since);
      const list = async (): ReturnType<Call> => {
        await call('POST', '/invoices', { body, headers: { 'idempotency-key': randomUUID() } });
        return call('GET', '/invoices', { query: { per_page: 5 } });
      };
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
  console.log(`the slowest lists after each kill: ${slowest.join(' and ')}`);
});
