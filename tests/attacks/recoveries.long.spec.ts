import { client, eventually, startReceiver } from '@svc/testkit';
import { openAttack, type AttackFixture } from './testing/fixture.ts';

/** A million by `RECOVERED=1000000`: an hour of making them. */
const EVENTS = Number(process.env['RECOVERED'] ?? 20_000);
const BATCH = 100;
const FLAPS_MS = 1_000;

/** As the endpoint shows its recovery. */
interface Recovery {
  status: string;
  matched: number;
  created: number;
  delivered: number;
  failed: number;
}

test(
  `delays nothing of others while ${EVENTS} events are recovered to an endpoint that works for a second and fails for a second`,
  async () => {
    let fails = false;
    const flapping = setInterval(() => (fails = !fails), FLAPS_MS);
    const seen = new Set<string>();
    let received = 0;
    const hook = await startReceiver(({ body }) => {
      received += 1;
      if (!fails) seen.add(body.id);
      hook.deliveries.length = 0; // They are counted; their bodies would be kept.
      return fails ? 500 : 200;
    });
    const fixture: AttackFixture = await openAttack({ env: { WEBHOOKS_ALLOW: hook.origin, WEBHOOKS_RETRY_DELAYS: '1s,1s,1s,1s,1s' } });
    try {
      const { call } = fixture.attacker;
      const since = new Date(Date.now() - 1_000).toISOString();
      for (let n = 0; n < EVENTS; n += BATCH) {
        const requests = Array.from({ length: BATCH }, (_, k) => ({ name: `Customer ${n + k}` }));
        expect((await call('POST', '/customers/batch', { body: { requests } })).status).toBe(200);
      }
      const total = async () => (await call<{ meta: { total: number } }>('GET', '/events', { query: { per_page: 1 } })).body.meta.total;
      await eventually(async () => (await total()) >= EVENTS, 'all events', 300_000);
      const body = { url: `${hook.origin}/late`, events: ['customer.created'], description: 'subscribed after the events' };
      const { id } = (await call<{ id: string }>('POST', '/webhooks', { body })).body;
      const recovery = async () => (await call<{ recovery: Recovery }>('GET', `/webhooks/${id}`)).body.recovery;

      await fixture.during(async () => {
        const asked = performance.now();
        expect((await call('POST', `/webhooks/${id}/recover`, { body: { since } })).status).toBe(200);
        console.log(`the recovery was answered after ${Math.round(performance.now() - asked)} ms`);
        await eventually(async () => (await recovery()).status === 'done', 'the end of the recovery', 3 * 3_600_000);
      });
      const { matched, created, delivered, failed } = await recovery();
      console.log(JSON.stringify({ matched, created, delivered, failed, attempts: received }));
      expect({ matched, created }).toEqual({ matched: EVENTS + 1, created: EVENTS + 1 });
      expect(delivered + failed).toBe(created);
      expect(seen.size).toBe(delivered);
    } finally {
      clearInterval(flapping);
      await fixture.close();
      await hook.close();
    }
  },
  4 * 3_600_000,
);

test('delays nothing of others while 20 endpoints are recovered at once', async () => {
  const hook = await startReceiver();
  const fixture: AttackFixture = await openAttack({ env: { WEBHOOKS_ALLOW: hook.origin } });
  try {
    const { call, liveKey } = fixture.attacker;
    const live = client(`${fixture.system.url}/v1`, liveKey);
    const since = new Date(Date.now() - 1_000).toISOString();
    for (const each of [call, live])
      for (let n = 0; n < 2_000; n += BATCH) {
        const requests = Array.from({ length: BATCH }, (_, k) => ({ name: `Customer ${n + k}` }));
        expect((await each('POST', '/customers/batch', { body: { requests } })).status).toBe(200);
      }
    const endpoints: { each: typeof call; id: string }[] = [];
    for (const each of [call, live])
      for (let n = 0; n < 10; n += 1) {
        const body = { url: `${hook.origin}/${n}`, events: ['customer.created'], description: 'late' };
        endpoints.push({ each, id: (await each<{ id: string }>('POST', '/webhooks', { body })).body.id });
      }
    await fixture.during(async () => {
      for (const { each, id } of endpoints) expect((await each('POST', `/webhooks/${id}/recover`, { body: { since } })).status).toBe(200);
      for (const { each, id } of endpoints)
        await eventually(
          async () => (await each<{ recovery: Recovery }>('GET', `/webhooks/${id}`)).body.recovery.status === 'done',
          'the end of each recovery',
          600_000,
        );
    });
  } finally {
    await fixture.close();
    await hook.close();
  }
}, 900_000);
