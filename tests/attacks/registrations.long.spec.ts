import { backlog, expectNoDelay } from '../authorities/testing/backlog.ts';
import * as shops from '../authorities/testing/shop.ts';
import { type AttackFixture, openAttack } from './testing/fixture.ts';

let fixture: AttackFixture;
// Calls of the authority are repeated after their real delays: a hundredth of them would be another attack.
beforeAll(async () => (fixture = await openAttack({ env: { AUTHORITY_PACE: 'live' } })));
afterAll(() => fixture?.close());

test(
  backlog.title,
  async () => {
    const [attacker, victim] = await Promise.all([
      shops.shopOf(fixture.attacker.call, 'al-cis'),
      shops.shopOf(fixture.victim.call, 'al-cis'),
    ]);
    await expectNoDelay(fixture.system, { attacker, victim });
  },
  backlog.longestMs,
);
