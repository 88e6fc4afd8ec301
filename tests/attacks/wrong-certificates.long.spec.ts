import { frozenFile, info, integer, oid, plainFile, sequence } from '@svc/fiscal-submission/credentials/testing/files';
import { openAttack, type AttackFixture } from './testing/fixture.ts';

let fixture: AttackFixture;
beforeAll(async () => {
  fixture = await openAttack();
});
afterAll(() => fixture.close());

/** OpenSSL takes 16 s to decode it. */
const dsa = info(sequence(oid('1.2.840.10040.4.1'), sequence(integer(3_000), integer(3_000), integer(3_000))), integer(3_000));

test('a certificate whose key OpenSSL computes with for long holds up no other account, nor its certificate', async () => {
  const { attacker, victim } = fixture;
  const answers: number[][] = [];
  await fixture.during(async () => {
    for (let n = 0; n < 20; n += 1) {
      const put = (of: typeof attacker | typeof victim, body: object) => of.call('PUT', '/fiscal-credentials', { body });
      const [attack, other] = await Promise.all([put(attacker, plainFile({ keys: [dsa] })), put(victim, frozenFile('modern'))]);
      answers.push([attack.status, other.status]);
    }
  });
  expect(answers).toEqual(Array(20).fill([422, 200]));
});
