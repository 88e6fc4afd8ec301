import { type AttackFixture, openAttack, PROFESSIONAL } from './testing/fixture.ts';

const ACCOUNTS = 10;
/** Of each account: what its plan allows in a minute, within two seconds. */
const [RECEIPTS, BEGIN_MS] = [100, 2_000];
const SECONDS = 20;
/** How long the outcome of the victim's own receipt may take, in milliseconds. */
const OUTCOME_MS = 5_000;
const RECEIPT = { items: [{ description: 'Coffee', unit_price: 3 }], payment_method: 'cash' };

let fixture: AttackFixture;
// Calls of the authority are repeated after their real delays: a hundredth of them would be another attack.
beforeEach(async () => (fixture = await openAttack({ env: { AUTHORITY_PACE: 'live' } })));
afterEach(() => fixture?.close());

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test.each([
  ['that wait for nothing', { body: RECEIPT }],
  [
    'that wait for an authority that does not answer',
    { body: { ...RECEIPT, metadata: { simulate: 'unavailable:10000' } }, headers: { prefer: `wait=${SECONDS}` } },
  ],
])(`${RECEIPTS} receipts of each of ${ACCOUNTS} accounts %s delay no other account, nor the outcome of its receipt`, async (_, options) => {
  const attackers = await fixture.attackers(ACCOUNTS, PROFESSIONAL);
  const statuses: Record<number, number> = {};
  let outcomeMs = 0;
  await fixture.during(async () => {
    const sent = attackers.flatMap(({ call }) =>
      Array.from({ length: RECEIPTS }, async (_receipt, n) => {
        await sleep((n * BEGIN_MS) / RECEIPTS);
        const { status } = await call('POST', '/receipts', options);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }),
    );
    await sleep(BEGIN_MS);
    const began = performance.now();
    const own = await fixture.victim.call<{ fiscal: { status: string } }>('POST', '/receipts', {
      ...{ body: RECEIPT, headers: { prefer: `wait=${SECONDS}` } },
    });
    outcomeMs = performance.now() - began;
    expect([own.status, own.body.fiscal.status, own.headers.get('preference-applied')]).toEqual([201, 'registered', `wait=${SECONDS}`]);
    await Promise.all(sent);
  });
  console.log(JSON.stringify({ statuses, outcomeMs }));
  // A write waits ten seconds for its permit, and is refused before any work.
  expect(Object.keys(statuses).filter((status) => !['201', '503'].includes(status))).toEqual([]);
  expect(statuses[201]).toBeGreaterThanOrEqual((ACCOUNTS * RECEIPTS) / 4);
  expect(outcomeMs).toBeLessThanOrEqual(OUTCOME_MS);
});
