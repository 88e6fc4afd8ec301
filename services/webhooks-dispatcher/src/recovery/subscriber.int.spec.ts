import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '@svc/embedded';
import { createIds, FakeClock, iso, settleTurns, soon } from '@svc/kernel';
import type { Identity } from '@svc/service';
import type { WebhooksContext } from '../delivery/context.ts';
import { newDelivery } from '../delivery/delivery.ts';
import { answer, openProcess, ring } from '../delivery/testing/process.ts';
import { customerCreated, shopEndpoint } from '../delivery/testing/rows.ts';
import type { DeliveryWorker } from '../delivery/worker.ts';
import { enableEndpoint } from '../endpoint/change.ts';
import { mayReceive } from '../endpoint/domain/endpoint.ts';
import { type Endpoint, endpointResource } from '../endpoint/endpoint.ts';
import { storedEvent } from '../event/event.ts';
import { recover } from './recover.ts';
import { startRecoveries } from './start.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const RESOURCES = 7;

let folder: string;
let engine: Engine;
let clock: FakeClock;
let ids: ReturnType<typeof createIds>;
let context: WebhooksContext;
let worker: DeliveryWorker;
let recoveries: ReturnType<typeof startRecoveries>;
let isDown: boolean;
/** What the subscriber has: the events that it has seen, and of each resource the highest sequence. */
let seen: Set<string>;
let newest: Map<string, number>;
/** What it should have. */
let made: { id: string; resource: string; sequence: number }[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-subscriber-'));
  clock = new FakeClock();
  ids = createIds(clock);
  [isDown, seen, newest, made] = [true, new Set(), new Map(), []];
  ({ engine, context, worker } = openProcess(folder, {
    clock,
    send({ body }) {
      if (isDown) return answer(503);
      const { id, sequence, data } = JSON.parse(String(body)) as { id: string; sequence: number; data: { id: string } };
      seen.add(id);
      newest.set(data.id, Math.max(sequence, newest.get(data.id) ?? 0));
      return answer(200);
    },
  }));
  recoveries = startRecoveries(context, worker);
  worker.recovers(recoveries);
  await context.endpoints.insert({ ...shopEndpoint(), secret: ring.encrypt('whsec_AAAA') });
});
afterEach(async () => {
  const stopped = Promise.all([worker.stop(), recoveries.stop()]);
  await clock.advance(15_000);
  await stopped;
  engine.close();
  rmSync(folder, { recursive: true });
});

const endpoint = async (): Promise<Endpoint> => (await context.endpoints.get('we_1')) as Endpoint;
const shown = async () => endpointResource(await endpoint(), await worker.ended('we_1'));
const identity = (): Identity =>
  ({ account: 'acct_1', env: 'test', commandId: ids.next(), requestId: 'req_1', actor: { type: 'api_key', id: 'key_1' } }) as Identity;

/** A change of one of the resources, and its delivery where the endpoint receives. */
async function happens(): Promise<void> {
  const one = { id: `evt_${ids.next()}`, resource: `cust_${made.length % RESOURCES}`, sequence: made.length + 1 };
  made.push(one);
  const { id, resource: subject, sequence } = one;
  const event = { ...customerCreated, id, time: iso(clock.now()), subject, sequence, data: { id: subject } };
  const stored = storedEvent({ event, type: 'customer.created' });
  await context.events.insert(stored);
  const to = await endpoint();
  if (mayReceive(to)) await context.deliveries.insert(newDelivery(stored, to, clock.now()));
  worker.wake();
  await settleTurns(20);
}

async function happensEvery(ms: number, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    await happens();
    await clock.advance(ms);
  }
}

async function recovered(body: { since: string; dry_run?: boolean }) {
  const recovery = await recover(context, identity(), 'we_1', { body, turn: soon }).finally(worker.recover);
  for (let n = 0; n < 600 && (await shown()).recovery?.status === 'running'; n += 1) await clock.advance(100);
  return recovery;
}

function expectAll(): void {
  expect([...seen].toSorted()).toEqual(made.map(({ id }) => id).toSorted());
  expect(newest).toEqual(new Map(made.map(({ resource, sequence }) => [resource, sequence])));
}

test('after an hour without answers nothing is missing but what waits for its schedule, which brings it', async () => {
  const since = iso(clock.now());
  await happensEvery(MINUTE, 60);
  expect([(await shown()).health.status, seen.size]).toEqual(['failing', 0]);
  isDown = false;
  expect(await recovered({ since, dry_run: true })).toMatchObject({ matched: 60 });
  expect(await recovered({ since })).toMatchObject({ matched: 60, created: 0 });
  expect((await shown()).recovery).toMatchObject({ status: 'done', failed: 0 });
  for (let n = 0; n < 3; n += 1) await clock.advance(HOUR);
  expectAll();
  expect((await shown()).health).toMatchObject({ status: 'ok', failing_since: null });
  expect(await recovered({ since, dry_run: true })).toMatchObject({ matched: 0 });
});

test('after 121 hours without answers, of which it was warned, a disabled endpoint is enabled again and gets all that it has missed', async () => {
  const since = iso(clock.now());
  await happensEvery(HOUR, 100);
  const { status, health } = await shown();
  expect([status, health.status, health.disabled_after]).toEqual(['enabled', 'failing', iso(Date.parse(since) + 120 * HOUR)]);
  await happensEvery(HOUR, 25);
  expect(await shown()).toMatchObject({ status: 'disabled', disabled_reason: expect.stringContaining('120 hours') });
  isDown = false;
  await enableEndpoint(context, identity(), { id: 'we_1' });
  await happensEvery(MINUTE, 5); // Fresh ones need no recovery.
  expect(seen.size).toBe(5);
  expect(await recovered({ since, dry_run: true })).toMatchObject({ matched: 125, created: 0 });
  await recovered({ since });
  expect((await shown()).recovery).toMatchObject({ status: 'done', created: 125, delivered: 125, failed: 0 });
  expectAll();
});
