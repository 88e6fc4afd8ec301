import { client, startProcesses, type Processes } from '@svc/testkit';
import { HUGE } from '../e2e/testing/accounts.ts';
import { everything, withRetries, type Invoice } from '../e2e/testing/retrying-client.ts';
import { openAccountOf } from './testing/account.ts';

const REQUESTS = 500;

let system: Processes;
beforeAll(async () => {
  system = await startProcesses({ replicas: 1, except: { gateway: 3 } });
});
afterAll(() => system?.stop());

test(`admits exactly the limit of ${REQUESTS} parallel requests over three gateways`, async () => {
  const plan = 137;
  const { test_key } = await openAccountOf(system, 'Limited', { ...HUGE, plan });
  const calls = system.gateways.map((origin) => client(`${origin}/v1`, test_key));
  expect(calls).toHaveLength(3);
  const answers = await Promise.all(
    Array.from({ length: REQUESTS }, (_, n) => (calls[n % 3] as (typeof calls)[number])<{ error?: { code: string } }>('GET', '/account')),
  );
  const admitted = answers.filter(({ status }) => status === 200);
  expect(admitted).toHaveLength(plan);
  // The remaining counts are those of sequential requests.
  const left = admitted.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((a, b) => a - b);
  expect(left).toEqual(Array.from({ length: plan }, (_, n) => n));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.error?.code}`))).toEqual(new Set(['429 rate_limit_exceeded']));
  const resets = new Set(refused.map(({ headers }) => headers.get('x-ratelimit-reset')));
  expect(resets.size).toBe(1);
});

test('applies one limit of an endpoint over all gateways', async () => {
  const submit = 7;
  const { test_key } = await openAccountOf(system, 'Submits', { ...HUGE, submit });
  const calls = system.gateways.map((origin) => client(`${origin}/v1`, test_key));
  const statuses = await Promise.all(
    Array.from(
      { length: 60 },
      async (_, n) => (await (calls[n % 3] as (typeof calls)[number])('POST', '/invoices/inv_nobody/submit')).status,
    ),
  );
  expect(statuses.filter((status) => status === 404)).toHaveLength(submit);
  expect(statuses.filter((status) => status === 429)).toHaveLength(60 - submit);
});

test('makes one invoice from repeated requests with one Idempotency-Key over three gateways', async () => {
  const { test_key } = await openAccountOf(system, 'Repeats', HUGE);
  const calls = system.gateways.map((origin) => client(`${origin}/v1`, test_key));
  const [call] = calls as [(typeof calls)[number]];
  const customer = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body;
  const body = { customer_id: customer.id, items: [{ description: 'x', unit_price: 100 }] };
  for (const key of ['first', 'second', 'third']) {
    const turned = (n: number) => [...calls.slice(n % 3), ...calls.slice(0, n % 3)];
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => withRetries(turned(n), '/invoices', body, key)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  }
  expect(await everything<Invoice>(call, '/invoices')).toHaveLength(3);
});
