import { openAttack, type AttackFixture } from './testing/fixture.ts';

const WAITS = 120;
/** They begin within this time: it is their waiting that is measured, not a burst of requests. */
const BEGIN_MS = 1_500;
const SECONDS = 20;
const ROUNDS = 3;
/** What a process keeps waiting for an account. */
const MOST = 100;
/** How long the victim's own wait may take, in milliseconds. */
const OUTCOME_MS = 5_000;
const ITEMS = { items: [{ description: 'Coffee', unit_price: 3 }], payment_method: 'cash' };

let fixture: AttackFixture;
// Calls of the authority are repeated after their real delays: a hundredth of them would be another attack.
beforeAll(async () => (fixture = await openAttack({ env: { AUTHORITY_PACE: 'live' } })));
afterAll(() => fixture?.close());

// The authority does not answer: tills of one account wait for the outcomes of their receipts, another account works.
test(`${WAITS} waits of one account delay no other, which waits for its own outcome; every one is answered`, async () => {
  const { attacker, victim } = fixture;
  const seen: { status: number; applied: string | null }[] = [];
  const wait = async (_: unknown, n: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, (n * BEGIN_MS) / WAITS));
    const body = { ...ITEMS, metadata: { simulate: 'unavailable:10000' } };
    const { status, headers } = await attacker.call('POST', '/receipts', { body, headers: { prefer: `wait=${SECONDS}` } });
    seen.push({ status, applied: headers.get('preference-applied') });
  };
  let outcomeMs = 0;
  await fixture.during(async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const waiting = Promise.all(Array.from({ length: WAITS }, wait));
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      const began = performance.now();
      const own = await victim.call<{ fiscal: { status: string } }>('POST', '/receipts', {
        body: ITEMS,
        headers: { prefer: `wait=${SECONDS}` },
      });
      outcomeMs = Math.max(outcomeMs, performance.now() - began);
      expect([own.status, own.body.fiscal.status, own.headers.get('preference-applied')]).toEqual([201, 'registered', `wait=${SECONDS}`]);
      await waiting;
    }
  });
  console.log(JSON.stringify({ outcomeMs }));
  expect(seen.map(({ status }) => status)).toEqual(Array(WAITS * ROUNDS).fill(201));
  expect(seen.filter(({ applied }) => applied !== null)).toHaveLength(MOST * ROUNDS);
  expect(outcomeMs).toBeLessThanOrEqual(OUTCOME_MS);
});
