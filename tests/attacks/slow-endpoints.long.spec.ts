import { client, startReceiver } from '@svc/testkit';
import { freePort } from '@svc/kernel/testing/free-port';
import { openAttack, type AttackFixture } from './testing/fixture.ts';

const LATE_MS = 29_000;
const PER_ENVIRONMENT = 20;
const EVENTS = 300;
const FOR_MS = 60_000;

test('delays no webhook of others with 40 endpoints that answer after 29 s', async () => {
  const port = await freePort();
  const slow = await startReceiver(async () => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    return 200;
  }, port);
  const fixture: AttackFixture = await openAttack({ env: { WEBHOOKS_ALLOW: slow.origin } });
  try {
    const { call, liveKey } = fixture.attacker;
    const live = client(`${fixture.system.url}/v1`, liveKey);
    for (const each of [call, live]) {
      for (let n = 0; n < PER_ENVIRONMENT; n += 1) {
        const hook = { url: `${slow.origin}/${n}`, events: ['*'], description: 'slow' };
        expect((await each('POST', '/webhooks', { body: hook })).status).toBe(201);
      }
    }
    await fixture.during(async () => {
      const until = Date.now() + FOR_MS;
      for (let n = 0; n < EVENTS; n += 1)
        for (const each of [call, live]) await each('POST', '/customers', { body: { name: `Customer ${n}` } });
      await new Promise((resolve) => setTimeout(resolve, until - Date.now()));
    });
    expect(slow.deliveries.length).toBeGreaterThan(100);
  } finally {
    await fixture.close();
    await slow.close();
  }
});
