import { openAttack, type AttackFixture } from './testing/fixture.ts';

/** Those of the plan professional. */
const PROFESSIONAL = { plan: 1_000, burst: 100 };
/** The time in which the burst is whole again. */
const REFILL_MS = 6_500;
const ROUNDS = 3;

let fixture: AttackFixture;
beforeAll(async () => {
  fixture = await openAttack({ limits: PROFESSIONAL });
  const { call, customer } = fixture.attacker;
  const items = Array.from({ length: 3 }, () => ({ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 }));
  const requests = Array.from({ length: 100 }, () => ({ customer_id: customer, items }));
  expect((await call('POST', '/invoices/batch', { body: { requests } })).status).toBe(200);
});
afterAll(() => fixture?.close());

test.each([20, 25, 100])('a burst of pages of %d invoices is answered, and delays no other account', async (perPage) => {
  const { call } = fixture.attacker;
  await fixture.during(async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, REFILL_MS));
      const answers = await Promise.all(
        Array.from({ length: PROFESSIONAL.burst }, () => call<{ data: unknown[] }>('GET', `/invoices?per_page=${perPage}`)),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(PROFESSIONAL.burst).fill(200));
      expect(new Set(answers.map(({ body }) => body.data.length))).toEqual(new Set([perPage]));
    }
  });
});
