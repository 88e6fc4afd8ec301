import { client, startReceiver } from '@svc/testkit';
import { freePort } from '@svc/kernel/free-port.suite';
import { openArena, type Arena } from './arena.suite.ts';

const LATE_MS = 29_000;
const PER_ENVIRONMENT = 20;
const EVENTS = 300;
const FOR_MS = 60_000;

test('40 endpoints that answer after 29 s hold up the webhooks of nobody else', async () => {
  const port = await freePort();
  const slow = await startReceiver(async () => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    return 200;
  }, port);
  const arena: Arena = await openArena({ env: { WEBHOOKS_ALLOW: slow.origin } });
  try {
    const { call, liveKey } = arena.attacker;
    const live = client(`${arena.system.url}/v1`, liveKey);
    for (const each of [call, live]) {
      for (let n = 0; n < PER_ENVIRONMENT; n += 1) {
        const hook = { url: `${slow.origin}/${n}`, events: ['*'], description: 'slow' };
        expect((await each('POST', '/webhooks', { body: hook })).status).toBe(201);
      }
    }
    await arena.during(async () => {
      const until = Date.now() + FOR_MS;
      for (let n = 0; n < EVENTS; n += 1)
        for (const each of [call, live]) await each('POST', '/customers', { body: { name: `Customer ${n}` } });
      await new Promise((resolve) => setTimeout(resolve, until - Date.now()));
    });
    expect(slow.deliveries.length).toBeGreaterThan(100);
  } finally {
    await arena.close();
    await slow.close();
  }
});
