import { setTimeout as sleep } from 'node:timers/promises';
import { openAttack, type AttackFixture } from './testing/fixture.ts';

const SIGN_INS = 10_000;
/** A minute in all. */
const SLICES = 60;

let fixture: AttackFixture;
beforeAll(async () => void (fixture = await openAttack()));
afterAll(() => fixture?.close());

test('10,000 sign-ins a minute, each of another address and e-mail, are answered or refused, and delay no other account', async () => {
  const { url } = fixture.system;
  const origin = `http://localhost:${new URL(url).port}`;
  let sent = 0;
  const signIn = async (): Promise<number> => {
    sent += 1;
    const headers = {
      'content-type': 'application/json',
      origin,
      'x-forwarded-for': `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`,
    };
    const body = JSON.stringify({ email: `person${sent}@example.com`, password: 'wrong-password-1' });
    const answer = await fetch(`${url}/console/session`, { method: 'POST', headers, body });
    await answer.text();
    return answer.status;
  };
  const statuses = new Map<number, number>();
  await fixture.during(async () => {
    const answers: Promise<number>[] = [];
    for (let slice = 0; slice < SLICES; slice += 1) {
      for (let n = 0; n < Math.ceil(SIGN_INS / SLICES); n += 1) answers.push(signIn());
      await sleep(1_000);
    }
    for (const status of await Promise.all(answers)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  console.log(JSON.stringify(Object.fromEntries(statuses)));
  expect([...statuses.keys()].sort()).toEqual([401, 429]);
});
