import { client, eventually, startProcesses, type Processes, type Replica } from '@svc/testkit';
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

/** The lease of a process, and time for a busy machine; a claim by itself would be waited for until its 60 s end. */
const FREE_WITHIN_MS = 20_000;

test('after a gateway was killed a repeat runs at another one within seconds, and the document is submitted once', async () => {
  const { test_key } = await openAccountOf(system, 'Killed', HUGE);
  const calls = system.gateways.map((origin) => client(`${origin}/v1`, test_key));
  const [alive, , killed] = calls as [(typeof calls)[number], (typeof calls)[number], (typeof calls)[number]];
  const customer = (await alive<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body;
  const body = { customer_id: customer.id, items: [{ description: 'x', unit_price: 100 }], metadata: { simulate: 'slow:9000' } };
  const { id } = (await alive<{ id: string }>('POST', '/invoices', { body })).body;
  const submit = (call: (typeof calls)[number]) =>
    call<{ error?: { code: string }; number?: string }>('POST', `/invoices/${id}/submit`, {
      headers: { 'idempotency-key': 'killed', prefer: 'wait=25' },
    });
  const cut = submit(killed).then(
    () => 'answered',
    () => 'cut',
  );
  await eventually(
    async () => ((await alive<{ status: string }>('GET', `/invoices/${id}`)).body.status === 'submitting' ? true : undefined),
    'the first request',
  );
  expect((await submit(alive)).body.error?.code).toBe('idempotency_key_in_use');

  await (system.replicasOf('gateway')[2] as Replica).stop('SIGKILL');
  expect(await cut).toBe('cut');
  const again = await eventually(
    async () => {
      const answer = await submit(alive);
      return answer.status === 409 ? undefined : answer;
    },
    'a repeat that runs',
    FREE_WITHIN_MS,
  );
  expect([again.status, again.body.number]).toEqual([200, expect.stringMatching(/\d/)]);
  const { body: last } = await alive<{ status: string; fiscal: { attempts: number } }>('GET', `/invoices/${id}`);
  expect([last.status, last.fiscal.attempts]).toEqual(['submitted', 1]);
  expect((await submit(alive)).headers.get('idempotent-replayed')).toBe('true');
});
