import { client, eventually, startReceiver, type Call } from '@svc/testkit';
import { openAttack, type AttackFixture } from './testing/fixture.ts';
import { storeEvents } from './testing/stored-events.ts';

/** `RECOVERED=100000` for a quick run; on five processes, which take ten times as long, it is less anyway. */
const EVENTS = Number(process.env['RECOVERED'] ?? (process.env['SYSTEM'] === 'services' ? 20_000 : 1_000_000));
/** Of one resource: they are sent one after the other. */
const OF_ONE = Math.min(EVENTS, 20_000);
/** After so many a recovery is stopped, and killed. */
const PART = Math.min(EVENTS / 3, 20_000);
const BATCH = 100;
const FLAPS_MS = 1_000;
const FLAPPING_MS = 60_000;
const TOGETHER_MS = 60_000;
const HOURS = 3_600_000;
/** It counts for two seconds. */
const ANSWERED_MS = 3_000;

/** As the endpoint shows its recovery. */
interface Recovery {
  status: string;
  matched: number;
  created: number;
  delivered: number;
  failed: number;
}

let hook: Awaited<ReturnType<typeof startReceiver>>;
let fixture: AttackFixture;
let live: Call;
let fails: boolean;
let seen: Set<string>;
/** By the first webhook of each. */
let sequences: number[];
let since: string;
beforeEach(async () => {
  [fails, seen, sequences] = [false, new Set(), []];
  hook = await startReceiver(({ body }) => {
    hook.deliveries.length = 0; // Their bodies would be kept.
    if (!fails && !seen.has(body.id) && body.data.id !== fixture.attacker.customer) sequences.push(body.sequence);
    if (!fails) seen.add(body.id);
    return fails ? 500 : 200;
  });
  fixture = await openAttack({ env: { WEBHOOKS_ALLOW: hook.origin } });
  live = client(`${fixture.system.url}/v1`, fixture.attacker.liveKey);
  since = new Date(Date.now() - 1_000).toISOString();
});
afterEach(async () => {
  await fixture.close();
  await hook.close();
});

/** Makes so many events by one account, and waits until they are listed. */
async function make(call: Call, count: number): Promise<void> {
  for (let n = 0; n < count; n += BATCH) {
    const requests = Array.from({ length: BATCH }, (_, k) => ({ name: `Customer ${n + k}` }));
    const { status, text } = await call('POST', '/customers/batch', { body: { requests } });
    if (status !== 200) throw new Error(text);
  }
  await eventually(async () => (await total(call, '/events')) >= count, 'all events', 1 * HOURS);
}

const total = async (call: Call, path: string, query: object = {}): Promise<number> =>
  (await call<{ meta: { total: number } }>('GET', path, { query: { per_page: 1, ...query } })).body.meta.total;
const pending = (call: Call, id: string): Promise<number> => total(call, `/webhooks/${id}/deliveries`, { status: 'pending' });

async function subscribe(call: Call, n = 0): Promise<string> {
  const body = { url: `${hook.origin}/${n}`, events: ['customer.created'], description: 'subscribed after the events' };
  return (await call<{ id: string }>('POST', '/webhooks', { body })).body.id;
}

async function recover(call: Call, id: string): Promise<{ answeredMs: number; counting?: true; matched: number }> {
  const asked = performance.now();
  const { status, body } = await call<{ counting?: true; matched: number }>('POST', `/webhooks/${id}/recover`, { body: { since } });
  expect(status).toBe(200);
  return { ...body, answeredMs: Math.round(performance.now() - asked) };
}

const recoveryOf = async (call: Call, id: string): Promise<Recovery> =>
  (await call<{ recovery: Recovery }>('GET', `/webhooks/${id}`)).body.recovery;
const ended = (call: Call, id: string): Promise<unknown> =>
  eventually(async () => (await recoveryOf(call, id)).status === 'done', 'the end of the recovery', 3 * HOURS);

const deliveredOf = async (call: Call, id: string): Promise<number> => (await recoveryOf(call, id)).delivered;
const delivered = (call: Call, id: string, count: number): Promise<unknown> =>
  eventually(async () => (await deliveredOf(call, id)) >= count, `${Math.floor(count)} delivered`, 3 * HOURS);

test(
  `delays nothing of others while ${EVENTS} events are recovered, of which a stop and kill -9 lose none`,
  async () => {
    await eventually(async () => (await total(fixture.attacker.call, '/events')) === 1, 'the event of the attacker');
    const stored = await storeEvents(fixture, { count: EVENTS });
    ({ since } = stored);
    const { call } = fixture.attacker;
    const id = await subscribe(call);
    let began = 0;
    const seconds = (): number => Math.round((performance.now() - began) / 1000);
    await fixture.during(async () => {
      began = performance.now();
      const first = await recover(call, id);
      expect(first.answeredMs).toBeLessThanOrEqual(ANSWERED_MS);
      await eventually(async () => (await recoveryOf(call, id)).matched === EVENTS + 1, 'the whole count', 1 * HOURS);
      console.log(JSON.stringify({ events: EVENTS, ...stored, ...first, counted: seconds() }));
      await delivered(call, id, PART);
      expect((await call('POST', `/webhooks/${id}/recover`, { body: { stop: true } })).status).toBe(200);
      const isStopped = async () => (await pending(call, id)) === 0;
      await eventually(isStopped, 'nothing that waits', 1 * HOURS);
      console.log(JSON.stringify({ stopped: await recoveryOf(call, id), seconds: seconds() }));
    });
    const second = await recover(call, id);
    await delivered(call, id, PART);
    await fixture.kill();
    console.log(JSON.stringify({ ...second, killed: seen.size, seconds: seconds() }));
    await fixture.during(async () => void (await ended(call, id)));
    const all = await recoveryOf(call, id);
    console.log(JSON.stringify({ ...all, seconds: seconds() }));
    expect(all).toMatchObject({ status: 'done', created: all.matched, delivered: all.matched, failed: 0 });
    expect(seen.size).toBe(EVENTS + 1);
    expect(await total(call, `/webhooks/${id}/deliveries`, { status: 'succeeded' })).toBe(EVENTS + 1);
  },
  4 * HOURS,
);

test(`delays nothing of others while ${OF_ONE} events of one resource are recovered, in order, of which kill -9 loses none`, async () => {
  await eventually(async () => (await total(fixture.attacker.call, '/events')) === 1, 'the event of the attacker');
  ({ since } = await storeEvents(fixture, { count: OF_ONE, ofOne: true }));
  const { call } = fixture.attacker;
  const id = await subscribe(call);
  const began = performance.now();
  await recover(call, id);
  await delivered(call, id, OF_ONE / 3);
  await fixture.kill();
  await fixture.during(async () => void (await ended(call, id)));
  console.log(JSON.stringify({ ...(await recoveryOf(call, id)), seconds: Math.round((performance.now() - began) / 1000) }));
  expect(await recoveryOf(call, id)).toMatchObject({ created: OF_ONE + 1, delivered: OF_ONE + 1, failed: 0 });
  expect(sequences).toEqual(Array.from({ length: OF_ONE }, (_, n) => n + 1));
}, 900_000);

test('delays nothing of others while events are recovered to an endpoint that fails every other second', async () => {
  const { call } = fixture.attacker;
  await make(call, 5_000);
  const id = await subscribe(call);
  const flapping = setInterval(() => (fails = !fails), FLAPS_MS);
  await fixture.during(async () => {
    await recover(call, id);
    await new Promise((resolve) => setTimeout(resolve, FLAPPING_MS));
  });
  clearInterval(flapping);
  console.log(JSON.stringify(await recoveryOf(call, id)));
  expect(seen.size).toBeGreaterThan(100);
  expect((await call('POST', `/webhooks/${id}/recover`, { body: { stop: true } })).status).toBe(200);
}, 900_000);

test('delays nothing of others while 20 endpoints are recovered at once', async () => {
  const endpoints: { call: Call; id: string }[] = [];
  for (const call of [fixture.attacker.call, live]) {
    await make(call, 2_000);
    for (let n = 0; n < 10; n += 1) endpoints.push({ call, id: await subscribe(call, n) });
  }
  await fixture.during(async () => {
    for (const { call, id } of endpoints) await recover(call, id);
    for (const { call, id } of endpoints) await ended(call, id);
  });
}, 900_000);

test('delays nothing of others while 20 endpoints that answer at once are recovered at once for a minute', async () => {
  await eventually(async () => (await total(fixture.attacker.call, '/events')) === 1, 'the event of the attacker');
  ({ since } = await storeEvents(fixture, { count: Math.min(EVENTS, 100_000) }));
  const { call } = fixture.attacker;
  const ids: string[] = [];
  for (let n = 0; n < 20; n += 1) ids.push(await subscribe(call, n));
  await fixture.during(async () => {
    for (const id of ids) await recover(call, id);
    await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
    for (const id of ids) expect((await call('POST', `/webhooks/${id}/recover`, { body: { stop: true } })).status).toBe(200);
  });
  const each = await Promise.all(ids.map((id) => deliveredOf(call, id)));
  console.log(JSON.stringify({ delivered: each }));
  expect(Math.min(...each)).toBeGreaterThan(Math.max(...each) / 10);
}, 900_000);
