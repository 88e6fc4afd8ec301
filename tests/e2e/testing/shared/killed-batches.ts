import { client, eventually } from '@svc/testkit';
import { admin, HUGE } from '../accounts.ts';
import { everything, withRetries, type Invoice } from '../retrying-client.ts';
import type { Shared } from './shared-system.ts';

interface Made {
  succeeded: number;
  data: { index: number; status: number; resource: Invoice & { notes: string; version: number } }[];
}

/** Restarts the system. */
export function testKilledBatches(shared: () => Shared): void {
  test('batches that kill -9 stops in the middle make what is missing when they are repeated, and nothing twice', async () => {
    const { system } = shared();
    const { body: account } = await admin(system)<{ test_key: string }>('POST', '/accounts', {
      body: { name: 'Batches', plan: 'enterprise', limits: HUGE },
    });
    const call = client(`${system.url}/v1`, account.test_key);
    const { id: customer_id } = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body;
    const items = Array(40).fill({ description: 'x', quantity: 1, unit_price: 100, tax_rate: 20 });
    const batches = [...'abcdefgh'].map((name) => ({
      key: `batch-${name}`,
      body: { requests: Array.from({ length: 100 }, (_, n) => ({ customer_id, currency: 'EUR', items, notes: `${name}-${n}` })) },
    }));
    const repeated = Promise.all(
      batches.map(async ({ key, body }) => (await withRetries([call], '/invoices/batch', body, key)) as unknown as Made),
    );

    const total = async () =>
      (await call<{ meta?: { total: number } }>('GET', '/invoices', { query: { per_page: 1 } })).body.meta?.total ?? 0;
    const before = await eventually(total, 'the first invoices');
    await system.kill('SIGKILL');
    // Not counted again after the restart: the repeated requests go on at once.
    expect(before).toBeLessThan(batches.length * 100);
    shared().system = await system.restart();

    const made = await repeated;
    expect(made.map(({ succeeded }) => succeeded)).toEqual(batches.map(() => 100));
    const answered = made.flatMap(({ data }) => data.map(({ resource: { id, notes, version } }) => [id, notes, version]));
    const wanted = batches.flatMap(({ body }) => body.requests.map(({ notes }) => notes));
    expect(answered.map(([, notes]) => notes)).toEqual(wanted);
    const stored = await everything<Made['data'][0]['resource']>(call, '/invoices');
    expect(stored.map(({ id, notes, version }) => [id, notes, version]).sort()).toEqual([...answered].sort());
  }, 300_000);
}
