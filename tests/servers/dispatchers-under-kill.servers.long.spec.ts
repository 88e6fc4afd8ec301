import { verifyWebhook } from '@svc/client';
import { openMongo, type OpenMongo } from '@svc/document-store/mongodb/open';
import { type Pass, RETENTION } from '@svc/document-store/retention';
import { createIds, iso, prefixed } from '@svc/kernel';
import {
  client,
  eventually,
  startProcesses,
  startReceiver,
  type Call,
  type Delivery as Received,
  type Processes,
  type Replica,
} from '@svc/testkit';
import { type Delivery, newDelivery } from '@svc/webhooks-dispatcher/delivery/delivery';
import { customerCreated, shopEndpoint } from '@svc/webhooks-dispatcher/delivery/testing/rows';
import { type EventRow, type StoredEvent, storedEvent } from '@svc/webhooks-dispatcher/event/event';
import { HUGE } from '../e2e/testing/accounts.ts';
import { collectionsAtRest } from '../e2e/testing/at-rest.ts';
import { everything, sleep, untilAnswered } from '../e2e/testing/retrying-client.ts';
import { spelledIn } from '../e2e/testing/spellings.ts';
import { openAccountOf } from './testing/account.ts';

const EVENTS = 300;
const BATCH = 100;
/** What a killed process has claimed is due a minute later. */
const CLAIMED_MS = 60_000;
const DAY = 86_400_000;
/** Milliseconds after which a process is killed, from the beginning of a request. */
const POINTS = [0, 5, 15, 40];
/** Of five endpoints and the rotations. */
const SECRETS = 5 + 2 * POINTS.length;

interface Endpoint {
  id: string;
  secret: string;
  status: string;
  recovery: { status: string; matched: number; created: number; delivered: number; failed: number } | null;
}
interface Logged {
  status: string;
  event_id: string;
}

let hook: Awaited<ReturnType<typeof startReceiver>>;
/** Paths that fail. */
const failing = new Set(['/deleted', '/disabled']);
let system: Processes;
let mongo: OpenMongo;
let call: Call;
let account: string;
let since: string;
const secrets: string[] = [];

beforeAll(async () => {
  hook = await startReceiver(async ({ path }) => (await sleep(20), failing.has(path) ? 500 : 200));
  const env = { WEBHOOKS_ALLOW: hook.origin, WEBHOOKS_RETRY_DELAYS: '1s,2s,5s,10s,20s' };
  system = await startProcesses({ replicas: 1, except: { 'webhooks-dispatcher': 2 }, env });
  const { mongodbUrl: url, namespace } = system.servers;
  mongo = openMongo({ url, namespace, logger: console });
  const opened = await openAccountOf(system, 'Endpoints', HUGE);
  account = opened.id;
  call = client(`${system.gateways[0]}/v1`, opened.test_key);
  since = new Date(Date.now() - 1_000).toISOString();
  await customers(EVENTS);
});
afterAll(async () => {
  await mongo?.close();
  await system?.stop();
  await hook?.close();
});

const dispatchers = (): Replica[] => system.replicasOf('webhooks-dispatcher');
let kills = 0;
/** Kills the one and the other in turn. It is started again. */
async function kill(): Promise<void> {
  const replica = dispatchers()[kills % 2] as Replica;
  kills += 1;
  await replica.ready();
  expect(await replica.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
}
/** Until it is answered: one of the processes may be starting. */
const total = async (path: string, query: object = {}): Promise<number> => {
  const meta = await eventually(async () => {
    const { status, body } = await call<{ meta: { total: number } }>('GET', path, { query: { per_page: 1, ...query } });
    return status === 200 ? body.meta : undefined;
  }, `GET ${path}`);
  return meta.total;
};

/** Makes so many, and waits for their events. */
async function customers(count: number): Promise<void> {
  const before = await total('/events');
  for (let n = 0; n < count; n += BATCH) {
    const requests = Array.from({ length: Math.min(BATCH, count - n) }, (_, k) => ({ name: `Customer ${n + k}` }));
    expect((await untilAnswered([call], '/customers/batch', { requests }, crypto.randomUUID())).status).toBe(200);
  }
  await eventually(async () => (await total('/events')) === before + count, 'all events', 2 * CLAIMED_MS);
}
async function subscribe(path: string): Promise<Endpoint> {
  const body = { url: `${hook.origin}${path}`, events: ['customer.created'], description: path };
  const made = (await untilAnswered<Endpoint>([call], '/webhooks', body, crypto.randomUUID())).body;
  secrets.push(made.secret);
  return made;
}
const read = async (id: string): Promise<Endpoint> => (await call<Endpoint>('GET', `/webhooks/${id}`)).body;
const log = (id: string): Promise<Logged[]> => everything<Logged>(call, `/webhooks/${id}/deliveries`);
const receivedAt = (path: string): Received[] => hook.deliveries.filter((one) => one.path === path);
/** Until it is answered: the process that has it in hand may be killed. */
const repeated = (method: string, path: string, body?: object): Promise<unknown> =>
  eventually(async () => (await call(method, path, body && { body })).status < 500, `${method} ${path}`, 2 * CLAIMED_MS);

test('a recovery goes on while either process is killed, and delivers each event', async () => {
  const { id } = await subscribe('/late');
  expect((await untilAnswered([call], `/webhooks/${id}/recover`, { since }, 'recover')).status).toBe(200);
  for (const count of [40, 120, 200]) {
    await eventually(() => receivedAt('/late').length >= count, `${count} webhooks`, 2 * CLAIMED_MS);
    await kill();
  }
  await eventually(async () => (await read(id)).recovery?.status === 'done', 'the end of the recovery', 4 * CLAIMED_MS);
  expect((await read(id)).recovery).toMatchObject({ matched: EVENTS, created: EVENTS, delivered: EVENTS, failed: 0 });
  expect(new Set(receivedAt('/late').map(({ body }) => body.id)).size).toBe(EVENTS);
  const rows = await log(id);
  expect(rows.map(({ status }) => status)).toEqual(Array(EVENTS).fill('succeeded'));
  expect(new Set(rows.map(({ event_id }) => event_id)).size).toBe(EVENTS);
}, 600_000);

test('a rotation under which either process is killed is answered once, with the secret that signs', async () => {
  const { id } = await subscribe('/rotated');
  for (const ms of [...POINTS, ...POINTS]) {
    const key = `rotate-${kills}`;
    const rotate = () => untilAnswered<Endpoint>([call], `/webhooks/${id}/rotate-secret`, { grace_period_seconds: 0 }, key);
    const rotation = rotate();
    await sleep(ms);
    await kill();
    const { secret } = (await rotation).body;
    expect((await rotate()).body.secret).toBe(secret);
    secrets.push(secret);
    const before = receivedAt('/rotated').length;
    await customers(1);
    await eventually(() => receivedAt('/rotated').length > before, 'the webhook after the rotation', 2 * CLAIMED_MS);
    const { headers, raw } = receivedAt('/rotated').at(-1) as Received;
    expect(verifyWebhook({ headers, body: raw }, secret)).toMatchObject({ type: 'customer.created' });
  }
}, 900_000);

test('what is deleted or disabled when either process is killed receives nothing more; the disabled one gets it when it is enabled', async () => {
  const [deleted, disabled] = [await subscribe('/deleted'), await subscribe('/disabled')];
  const from = new Date().toISOString();
  await customers(100);
  const isBusy = async (): Promise<boolean> => receivedAt('/deleted').length > 10 && receivedAt('/disabled').length > 10;
  await eventually(isBusy, 'attempts that fail', 2 * CLAIMED_MS);
  const changes = [repeated('DELETE', `/webhooks/${deleted.id}`), repeated('PATCH', `/webhooks/${disabled.id}`, { status: 'disabled' })];
  await sleep(10);
  await kill();
  await kill();
  await Promise.all(changes);
  await sleep(1_000); // attempts under way
  const before = receivedAt('/deleted').length + receivedAt('/disabled').length;
  await sleep(CLAIMED_MS + 15_000); // claims of the killed end, and the schedule wants more attempts
  expect(receivedAt('/deleted').length + receivedAt('/disabled').length).toBe(before);
  await eventually(async () => (await total(`/webhooks/${disabled.id}/deliveries`, { status: 'pending' })) === 0, 'all cancelled');
  expect((await log(deleted.id)).filter(({ status }) => status === 'pending')).toEqual([]);

  failing.clear();
  await untilAnswered([call], `/webhooks/${disabled.id}/enable`, {}, 'enable');
  hook.deliveries.length = 0;
  const { matched } = (await untilAnswered<{ matched: number }>([call], `/webhooks/${disabled.id}/recover`, { since: from }, 'again')).body;
  expect(matched).toBe(100);
  await eventually(() => new Set(receivedAt('/disabled').map(({ body }) => body.id)).size === 100, 'what it missed', 2 * CLAIMED_MS);
  expect(receivedAt('/deleted')).toEqual([]);
}, 600_000);

test('what is old is removed while either process is killed, and nothing else', async () => {
  const OLD = 1_000;
  const WAITING = 20;
  const documents = mongo.database('svc_webhooks');
  const [events, deliveries] = [documents.collection<EventRow>('events'), documents.collection<Delivery>('deliveries')];
  const passes = documents.collection<Pass>(RETENTION, { indexes: [{ fields: ['due_at'] }] });
  const { id } = await subscribe('/kept');
  const kept = await everything<{ id: string }>(call, '/events');
  const keptLog = (await log(id)).length;

  const at = Date.now() - 40 * DAY;
  const ids = createIds({ now: () => at });
  const rows = Array.from({ length: OLD }, (_, n): StoredEvent => {
    const event = { ...customerCreated, id: prefixed('evt', ids.next()), account, time: iso(at), sequence: 1 };
    return { ...storedEvent({ event, type: 'customer.created' }), log_position: 1_000_000 + n };
  });
  const ended = (event: StoredEvent, n: number): Delivery => {
    const due_at = n < WAITING ? Date.now() + DAY : null;
    const made = newDelivery(event, { ...shopEndpoint(), _id: id, account }, at);
    return { ...made, due_at, next_at: due_at, ...(due_at === null && { status: 'succeeded' }) };
  };
  for (let n = 0; n < OLD; n += BATCH) {
    const some = rows.slice(n, n + BATCH);
    await events.write(some.map((insert) => ({ insert })));
    await deliveries.write(some.map((event, k) => ({ insert: ended(event, n + k) })));
  }
  const old = async (): Promise<number> => total('/events', { created_to: iso(at) });
  const oldLog = async (): Promise<number> => total(`/webhooks/${id}/deliveries`, { created_to: iso(at) });
  expect([await old(), await oldLog()]).toEqual([OLD, OLD]);

  const begin = (): Promise<unknown> => passes.claim({ due_at: { $gt: 0 } }, { set: { due_at: Date.now(), at: null, isPast: false } });
  await begin();
  await kill(); // who starts looks at the passes
  for (const left of [0.8, 0.5]) {
    await eventually(async () => (await oldLog()) < left * OLD, `fewer than ${left} of the deliveries`, 3 * CLAIMED_MS);
    await kill();
  }
  await eventually(async () => (await oldLog()) === WAITING, 'all old deliveries that have ended', 4 * CLAIMED_MS);
  await begin(); // events go behind their deliveries
  await kill();
  await eventually(async () => (await old()) < 0.6 * OLD, 'fewer events', 4 * CLAIMED_MS);
  await kill();
  await eventually(async () => (await old()) === WAITING, 'all events without a delivery that waits', 4 * CLAIMED_MS);
  const left = await everything<{ id: string }>(call, '/events', { created_from: iso(at + DAY) });
  expect(left).toEqual(kept);
  expect((await log(id)).length).toBe(keptLog + WAITING);
}, 1_200_000);

test('no secret is readable in what is stored, or in the logs', async () => {
  expect(new Set(secrets).size).toBe(SECRETS);
  const stored = await collectionsAtRest(system.servers);
  const logs = system.replicas.map(({ name, output }) => ({ name, bytes: Buffer.from(output()) }));
  expect(stored.map(({ name }) => name)).toContain(`${system.servers.namespace}_svc_webhooks.webhook_endpoints`);
  const found = [...stored, ...logs].flatMap(({ name, bytes }) => (spelledIn(bytes, secrets).length > 0 ? [name] : []));
  expect(found).toEqual([]);
});
