import { openAttack, type AttackFixture } from './testing/fixture.ts';
import { longInvoice, wideInvoice } from './testing/invoices.ts';

/** Those of the plan professional. */
const PROFESSIONAL = { plan: 1_000, burst: 100 };
/** The time in which the burst is whole again. */
const REFILL_MS = 6_500;
const ROUNDS = 4;

let fixture: AttackFixture;
beforeAll(async () => (fixture = await openAttack({ limits: PROFESSIONAL })));
afterAll(() => fixture?.close());

const bodies: Record<string, (customer: string) => [path: string, body: object]> = {
  'invoices of 450 lines with two taxes': (customer) => ['/invoices', wideInvoice(customer, { lines: 450, taxes: 2 })],
  'invoices of 500 lines with ten taxes': (customer) => ['/invoices', wideInvoice(customer)],
  'invoices of 250 KiB of text': (customer) => ['/invoices', longInvoice(customer, 250)],
  'batches of nearly 1 MiB': (customer) => ['/invoices/batch', { requests: Array.from({ length: 4 }, () => longInvoice(customer, 240)) }],
};

test.each(Object.entries(bodies))('bursts of %s delay no other account', async (_, bodyOf) => {
  const { call, customer } = fixture.attacker;
  const [path, body] = bodyOf(customer);
  const raw = JSON.stringify(body); // once: this process asks for the other account, too
  const statuses: Record<number, number> = {};
  await fixture.during(async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const refilled = new Promise((resolve) => setTimeout(resolve, REFILL_MS));
      const answers = await Promise.all(Array.from({ length: PROFESSIONAL.burst }, () => call('POST', path, { raw })));
      for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
      await refilled;
    }
  });
  console.log(JSON.stringify(statuses));
  expect(Object.keys(statuses).filter((status) => !['200', '201', '422', '429', '503'].includes(status))).toEqual([]);
});

test('bursts of changes and submissions of large stored invoices delay no other account', async () => {
  const { call, customer } = fixture.attacker;
  const refilled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, REFILL_MS));
  const invoices: string[] = [];
  while (invoices.length < PROFESSIONAL.burst) {
    const made = await call<{ id: string }>('POST', '/invoices', { body: wideInvoice(customer, { lines: 450, taxes: 2 }) });
    if (made.status === 201) invoices.push(made.body.id);
    else await refilled();
  }
  await refilled();
  // What was read is in memory: a burst that reads it first waits for its permits.
  for (const id of invoices) await call('GET', `/invoices/${id}`);
  const statuses: Record<number, number> = {};
  await fixture.during(async () => {
    for (const [method, path, body] of [
      ['PATCH', '', { metadata: { changed: 'once' } }],
      ['PATCH', '', { metadata: { changed: 'again' } }],
      ['POST', '/submit', {}],
    ] as const) {
      await refilled();
      const answers = await Promise.all(invoices.map((id) => call(method, `/invoices/${id}${path}`, { body })));
      for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
    }
    await refilled();
  });
  console.log(JSON.stringify(statuses));
  expect(Object.keys(statuses).filter((status) => !['200', '422', '429', '503'].includes(status))).toEqual([]);
  expect(statuses[200]).toBeGreaterThan(200);
});
