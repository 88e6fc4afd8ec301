import { frozenFile, longKeyFile, mostIterations, newFile, unfitKeyFile } from '@svc/fiscal-submission/credentials/testing/files';
import * as shops from '../authorities/testing/shop.ts';
import { type Attacker, type AttackFixture, FREE, openAttack, PROFESSIONAL } from './testing/fixture.ts';

const ACCOUNTS = 10;
const AT_ONCE = 4;
const FOR_MS = 25_000;
/** How long the outcome of another account's receipt, and its certificate, may take, in milliseconds: a file waits for seven seconds, and is read for two. */
const [OUTCOME_MS, FILE_MS] = [5_000, 9_000];

let fixture: AttackFixture;
let long: ReturnType<typeof longKeyFile>;
// Calls of the authority are repeated after their real delays: a hundredth of them would be another attack.
beforeAll(async () => {
  long = longKeyFile(8_192);
  fixture = await openAttack({ env: { AUTHORITY_PACE: 'live' } });
});
afterAll(() => fixture?.close());

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const put = ({ call }: Pick<Attacker, 'call'>, body: object) => call('PUT', '/fiscal-credentials', { body });

/** Sends one request after the other until the time is over; what is refused for its number waits as long as it should. Counts statuses. */
async function repeat(statuses: Record<number, number>, send: () => Promise<{ status: number; headers: Headers }>): Promise<void> {
  for (const until = Date.now() + FOR_MS; Date.now() < until;) {
    const { status, headers } = await send();
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 429 || status === 503) await sleep(1_000 * Number(headers.get('retry-after') ?? 1));
  }
}

test('a key of RSA whose numbers do not fit together is refused, and delays no other account', async () => {
  const attackers = await fixture.attackers(ACCOUNTS, PROFESSIONAL);
  const file = unfitKeyFile(8_192);
  const statuses: Record<number, number> = {};
  await fixture.during(async () => {
    await Promise.all(attackers.map((one) => repeat(statuses, () => put(one, file))));
  });
  console.log(JSON.stringify(statuses));
  expect(Object.keys(statuses).filter((status) => !['422', '429', '503'].includes(status))).toEqual([]);
  expect(statuses[422]).toBeGreaterThan(ACCOUNTS);
});

test.each(['al-cis', 'es-verifactu'] as const)(
  `keys of 8,192 bits of ${ACCOUNTS} accounts that are tried at %s delay no other account, nor its receipts`,
  async (authority) => {
    const attackers = await fixture.attackers(ACCOUNTS, PROFESSIONAL);
    for (const one of attackers) {
      await shops.shopOf(one.call, authority);
      expect((await put(one, long)).status).toBe(200);
    }
    const till = await shops.openShop(fixture.system, 'al-cis');
    await shops.receipt(till);
    const statuses: Record<number, number> = {};
    const outcomes: number[] = [];
    await fixture.during(async () => {
      const checks = attackers.flatMap(({ call }) =>
        Array.from({ length: AT_ONCE }, () => repeat(statuses, () => call('POST', '/fiscal-credentials/check', { body: {} }))),
      );
      for (const until = Date.now() + FOR_MS; Date.now() < until; await sleep(1_000)) {
        const began = performance.now();
        expect((await shops.receipt(till)).fiscal?.status).toBe('registered');
        outcomes.push(Math.round(performance.now() - began));
      }
      await Promise.all(checks);
    });
    console.log(JSON.stringify({ statuses, outcomes }));
    expect(Math.max(...outcomes)).toBeLessThanOrEqual(OUTCOME_MS);
  },
);

test(`files of ${ACCOUNTS} accounts that take long to read delay no other account, and its own certificate is taken`, async () => {
  const attackers = await fixture.attackers(ACCOUNTS, FREE);
  const file = newFile({ change: mostIterations });
  const statuses: Record<number, number> = {};
  const own: { status: number; ms: number }[] = [];
  await fixture.during(async () => {
    const attacks = attackers.map((one) => repeat(statuses, () => put(one, file)));
    for (const until = Date.now() + FOR_MS; Date.now() < until; await sleep(1_000)) {
      const began = performance.now();
      const { status } = await put(fixture.victim, frozenFile('modern'));
      own.push({ status, ms: Math.round(performance.now() - began) });
    }
    await Promise.all(attacks);
  });
  console.log(JSON.stringify({ statuses, own }));
  expect(own.map(({ status }) => status)).toEqual(own.map(() => 200));
  expect(Math.max(...own.map(({ ms }) => ms))).toBeLessThanOrEqual(FILE_MS);
});
