import { client, eventually, startProcesses, startReceiver, withKafka, type Call, type Processes, type Replica } from '@svc/testkit';
import { HUGE } from '../e2e/testing/accounts.ts';
import { everything, sleep, untilAnswered } from '../e2e/testing/retrying-client.ts';
import { openAccountOf } from './testing/account.ts';

const FIRST = 200;
const BATCH = 20;
/** Either process in turn. */
const KILLS = 4;
const PAUSE_MS = 1_500;
/** What a killed process has claimed is due a minute later. */
const CLAIMED_MS = 60_000;

interface Page {
  data: { id: string }[];
}

let hook: Awaited<ReturnType<typeof startReceiver>>;
let system: Processes;
let call: Call;
beforeAll(async () => {
  hook = await startReceiver();
  const env = { WEBHOOKS_ALLOW: hook.origin, WEBHOOKS_RETRY_DELAYS: '1s,2s,5s,10s' };
  system = await startProcesses({ replicas: 1, except: { 'webhooks-dispatcher': 2 }, env });
  call = client(`${system.gateways[0]}/v1`, (await openAccountOf(system, 'Rebuilt', HUGE)).test_key);
});
afterAll(async () => {
  await system?.stop();
  await hook?.close();
});

const dispatchers = (): Replica[] => system.replicasOf('webhooks-dispatcher');
const received = (): string[] => hook.deliveries.map(({ body }) => String(body.id));
const everyEvent = async (): Promise<string[]> => (await everything<{ id: string }>(call, '/events')).map(({ id }) => id);

let made = 0;
async function make(count = BATCH): Promise<void> {
  const requests = Array.from({ length: count }, (_, n) => ({ name: `Customer ${made + n}` }));
  expect((await untilAnswered([call], '/customers/batch', { requests }, crypto.randomUUID())).status).toBe(200);
  made += count;
}

/** As a broker that has forgotten the offsets of the group, and as a group of another name: it reads every topic from the first event on. */
const forgetGroup = (): Promise<unknown> =>
  withKafka(system.servers, (admin) =>
    eventually(
      async () => (await admin.deleteGroups([`${system.servers.namespace}.webhooks-dispatcher`])).every(({ errorCode }) => !errorCode),
      'a group without members',
      2 * CLAIMED_MS,
    ),
  );

test('a group that begins again with the first event, while events are made and either process is killed, lists and delivers each event once', async () => {
  const body = { url: `${hook.origin}/hook`, events: ['customer.created'] };
  const { id } = (await untilAnswered<{ id: string }>([call], '/webhooks', body, 'endpoint')).body;
  while (made < FIRST) await make();
  const succeeded = async (count: number): Promise<boolean> =>
    (await call<{ meta: { total: number } }>('GET', `/webhooks/${id}/deliveries`, { query: { status: 'succeeded' } })).body.meta.total ===
    count;
  await eventually(() => succeeded(FIRST), 'the first deliveries', 2 * CLAIMED_MS);
  const first = new Set(await everyEvent());
  await make(1); // its event is the last one of the log, unlike the newest of those that were made at once
  await eventually(() => succeeded(made), 'the next delivery', 2 * CLAIMED_MS);
  const before = await everyEvent();
  const [last = ''] = before.filter((one) => !first.has(one));
  expect(received().sort()).toEqual(before.toSorted());

  for (const replica of dispatchers()) await replica.stop('SIGKILL');
  await forgetGroup();
  let over = false;
  const making = (async () => {
    for (; !over; await sleep(200)) await make();
  })();
  /** Who follows the log sees each event once, in the order of storing. */
  const followed: string[] = [];
  const following = (async () => {
    for (let after = last; !over || followed.length < made - before.length;) {
      const answer = await call<Page>('GET', '/events', { query: { after, per_page: 100 } }).catch(() => undefined);
      if (answer?.status !== 200) await sleep(200);
      else followed.push(...answer.body.data.map((event) => event.id));
      after = followed.at(-1) ?? after;
      await sleep(50);
    }
  })();
  const work = Promise.all([making, following]);
  await Promise.race([Promise.all(dispatchers().map((replica) => replica.start())), work]);
  for (let n = 0; n < KILLS; n += 1) {
    await Promise.race([sleep(PAUSE_MS), work]);
    const replica = dispatchers()[n % 2] as Replica;
    expect(await replica.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    await replica.ready();
  }
  over = true;
  await work;

  await eventually(() => succeeded(made), 'all deliveries', 4 * CLAIMED_MS);
  const all = await everyEvent();
  expect([all.length, new Set(all).size]).toEqual([made, made]);
  expect(all.slice(-before.length)).toEqual(before);
  expect(new Set(followed).size).toBe(followed.length);
  expect(followed.toSorted()).toEqual(all.slice(0, -before.length).sort());
  const log = await everything<{ event_id: string }>(call, `/webhooks/${id}/deliveries`);
  expect(log.map(({ event_id }) => event_id).sort()).toEqual(all.toSorted());
  const old = new Set(before);
  expect(received().filter((one) => old.has(one)).length).toBe(before.length);
}, 900_000);
