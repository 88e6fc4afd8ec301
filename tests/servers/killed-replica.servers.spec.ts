import { randomUUID } from 'node:crypto';
import { client, type Call, startProcesses, type Processes } from '@svc/testkit';
import { HUGE } from '../e2e/testing/accounts.ts';
import { sleep } from '../e2e/testing/retrying-client.ts';
import { openAccountOf } from './testing/account.ts';

const PER_SECOND = 20;

let system: Processes;
beforeAll(async () => void (system = await startProcesses({ replicas: 1, except: { invoicing: 2 } })));
afterAll(() => system?.stop());

/** A list waits for the lease of a process that died, 4 s, and for what takes it over: less than the 10 s after which it would fail. */
test('a replica that is killed for good fails no list', async () => {
  const { test_key } = await openAccountOf(system, 'Killed', HUGE);
  const call = client(`${system.gateways[0]}/v1`, test_key);
  const customer = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body;
  const body = { customer_id: customer.id, items: [{ description: 'x', unit_price: 100 }] };
  const slowest: number[] = [];
  // One of both held the leases of the lists at the time it was killed.
  for (const replica of system.replicasOf('invoicing')) {
    await replica.stop('SIGKILL');
    const began = Date.now();
    const under: Promise<[string, number]>[] = [];
    for (; Date.now() - began < 8_000; await sleep(1_000 / PER_SECOND)) {
      const askedAt = Date.now();
      const list = async (): ReturnType<Call> => {
        await call('POST', '/invoices', { body, headers: { 'idempotency-key': randomUUID() } });
        return call('GET', '/invoices', { query: { per_page: 5 } });
      };
      under.push(list().then(({ status, text }) => [status === 200 ? 'done' : `${status} ${text}`, Date.now() - askedAt]));
    }
    const all = await Promise.all(under);
    expect(all.map(([what]) => what).filter((what) => what !== 'done')).toEqual([]);
    slowest.push(Math.max(...all.map(([, ms]) => ms)));
    await replica.start();
  }
  console.log(`the slowest lists after each kill: ${slowest.join(' and ')} ms`);
});
