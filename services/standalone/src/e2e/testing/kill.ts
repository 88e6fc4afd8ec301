import { client, eventually, startReceiver, startSystem, type System } from '@svc/testkit';
import { HUGE } from './accounts.ts';
import { expectOneNumberEach, expectOneRegistrationEach, readLedger, deliveredIds } from './exactly-once.ts';
import { everything, withRetries, sleep, type Invoice } from './retrying-client.ts';

const PER_SECOND = 10;

interface Load {
  inFlight: () => number;
  /** No request is in flight until the next kill. */
  waits: () => boolean;
  done: () => boolean;
  killed: () => void;
}

/** Repeatedly kills the process group 0.2–3 s after it is ready, with requests in flight, or when the next request waits for the kill. */
async function killRepeatedly(first: System, load: Load): Promise<System> {
  let system = first;
  for (let kills = 0; ; kills += 1) {
    await sleep(200 + ((kills * 0.618_034) % 1) * 2800);
    await eventually(() => load.inFlight() > 0 || load.waits() || load.done(), 'a request in flight');
    if (load.done()) return system;
    await system.kill('SIGKILL');
    load.killed();
    system = await system.restart();
  }
}

export interface Killing {
  /** Number of invoices to create and submit. */
  invoices: number;
  /** Minimum number of kills; the invoices are spread over them. */
  kills: number;
}

/**
 * Creates and submits invoices while the program is killed. Checks that nothing acknowledged is lost, and that each has one number, one
 * registration and every webhook.
 */
export async function invoicesUnderKill({ invoices: count, kills: most }: Killing): Promise<void> {
  const receiver = await startReceiver();
  const first = await startSystem({ WEBHOOKS_ALLOW: receiver.origin, WEBHOOKS_RETRY_DELAYS: '1s,2s,5s,10s,20s' });
  const { body: account } = await client(`${first.ops}/admin`, first.setup.admin_token)<{ test_key: string }>('POST', '/accounts', {
    body: { name: 'Kill', plan: 'enterprise', limits: HUGE },
  });
  const call = client(`${first.url}/v1`, account.test_key);
  expect((await call('POST', '/webhooks', { body: { url: `${receiver.origin}/hook`, events: ['*'], description: 'all' } })).status).toBe(
    201,
  );
  const customer = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body;
  const body = { customer_id: customer.id, currency: 'EUR', items: [{ description: 'x', quantity: 1, unit_price: 100, tax_rate: 20 }] };

  let inFlight = 0;
  let waiting = 0;
  let finished = 0;
  let kills = 0;
  const acknowledged = new Map<string, string>();
  const one = async (n: number): Promise<void> => {
    await sleep((n * 1000) / PER_SECOND);
    // Each of the last invoices waits for another kill, however slow the starts are.
    const before = most - (count - n);
    waiting += 1;
    await eventually(() => kills > before, 'a kill', 300_000);
    waiting -= 1;
    inFlight += 1;
    const { id } = await withRetries([call], '/invoices', body, `create-${n}`);
    const { number } = await withRetries([call], `/invoices/${id}/submit`, undefined, `submit-${n}`);
    acknowledged.set(id, number);
    inFlight -= 1;
    finished += 1;
  };
  const clients = Promise.all(Array.from({ length: count }, (_, n) => one(n)));
  const load: Load = {
    inFlight: () => inFlight,
    waits: () => waiting > 0 && waiting + finished === count,
    done: () => finished === count,
    killed: () => void (kills += 1),
  };
  const [system] = await Promise.all([killRepeatedly(first, load), clients]);
  expect(kills).toBeGreaterThanOrEqual(most);

  const list = (status: string): Promise<number> =>
    call<{ meta: { total: number } }>('GET', '/invoices', { query: { status, per_page: 1 } }).then(({ body: { meta } }) => meta.total);
  await eventually(async () => (await list('submitted')) === count, 'all submitted', 120_000);
  const invoices = await everything<Invoice>(call, '/invoices');
  expect(invoices).toHaveLength(count);
  expectOneNumberEach(invoices, acknowledged);
  expectOneRegistrationEach(await readLedger(system.simulator), invoices);
  const complete = (type: string): boolean => deliveredIds(receiver.deliveries, type).size === count;
  await eventually(() => ['invoice.created', 'invoice.updated', 'invoice.submitted'].every(complete), 'every webhook', 120_000);
  await system.stop();
  await receiver.close();
}
