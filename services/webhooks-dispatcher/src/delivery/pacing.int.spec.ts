import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore, type Collection } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock, settleTurns } from '@svc/kernel';
import { createPacing, type Pace, paceIndexes, type Pacing, WEBHOOK_PACES } from './pacing.ts';
import { createQueues, type Outcome } from './queues.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-pacing-'));
const engine = Engine.open(folder, { durable: false });
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

let clock: FakeClock;
let paces: Collection<Pace>;
let databases = 0;
let errors: unknown[];
beforeEach(() => {
  clock = new FakeClock();
  databases += 1;
  paces = embeddedDocumentStore(engine, `pacing${databases}`).collection<Pace>(WEBHOOK_PACES, paceIndexes);
  errors = [];
});
const open = (of = paces): Pacing => createPacing(of, clock, (error) => errors.push(error));

/** The milliseconds after the beginning at which webhooks begin in processes that all have many waiting. */
async function begun(processes: readonly Pacing[], count: number, most = 60_000): Promise<number[]> {
  const start = clock.now();
  const at: number[] = [];
  while (at.length < count && clock.now() - start < most) {
    for (const pacing of processes) while (pacing.waitMs('we_1') === 0) if (pacing.begin('we_1')) at.push(clock.now() - start);
    await settleTurns(20);
    await clock.advance(5);
  }
  return at.slice(0, count);
}

test('an endpoint without a pace does not wait, and nothing is stored for it', async () => {
  const pacing = open();
  expect([pacing.waitMs('we_1'), pacing.begin('we_1'), pacing.waitMs('we_1')]).toEqual([0, false, 0]);
  pacing.note('we_1', null);
  expect([pacing.begin('we_1'), await paces.get('we_1')]).toEqual([false, undefined]);
});

test.each([
  { replicas: 1, perSecond: 1, count: 4, ms: 3_000 },
  { replicas: 1, perSecond: 20, count: 61, ms: 3_000 },
  { replicas: 3, perSecond: 20, count: 61, ms: 3_000 },
  { replicas: 2, perSecond: 1_000, count: 1_001, ms: 1_000 },
])('$replicas processes begin $count webhooks at $perSecond a second in $ms ms together', async ({ replicas, perSecond, count, ms }) => {
  const processes = Array.from({ length: replicas }, () => open());
  for (const pacing of processes) pacing.note('we_1', perSecond);
  const at = await begun(processes, count);
  expect(at.at(-1)).toBeGreaterThanOrEqual(ms - 60);
  expect(at.at(-1)).toBeLessThanOrEqual(ms + 100);
});

test('a pace that is changed holds from the next reservation on, one that is removed at once', async () => {
  const pacing = open();
  pacing.note('we_1', 1);
  expect(await begun([pacing], 1)).toHaveLength(1);
  pacing.note('we_1', 100);
  expect((await begun([pacing], 101)).at(-1)).toBeLessThanOrEqual(3_000);
  pacing.note('we_1', null);
  expect(pacing.waitMs('we_1')).toBe(0);
});

test('a time that a process with a wrong clock has stored delays no webhook', async () => {
  await paces.insert({ _id: 'we_1', version: 1, next_at: clock.now() + 3_600_000 });
  const pacing = open();
  pacing.note('we_1', 10);
  expect(await begun([pacing], 10, 1_100)).toHaveLength(10);
});

test('while the store does not answer nothing begins; a second later it is asked again', async () => {
  let isAway = true;
  const get: typeof paces.get = (id) => (isAway ? Promise.reject(new Error('away')) : paces.get(id));
  const pacing = open({ ...paces, get });
  pacing.note('we_1', 10);
  expect(await begun([pacing], 1, 1_500)).toEqual([]);
  expect(errors).toHaveLength(2);
  isAway = false;
  expect(await begun([pacing], 5, 2_000)).toHaveLength(5);
});

function queuesOf(pacing: Pacing) {
  const ends = new Map<string, (outcome: Outcome) => void>();
  const started: string[] = [];
  const queues = createQueues<{ _id: string; account: string; endpoint_id: string }>({
    pacing,
    after: clock.after.bind(clock),
    waitingBytes: () => 1_000,
    bodyBytes: () => 1_000,
    since: () => 0,
    run({ _id }) {
      started.push(_id);
      return new Promise((resolve) => ends.set(_id, resolve));
    },
    refill: () => undefined,
  });
  const add = (endpoint: string, n: number): void =>
    queues.add(Array.from({ length: n }, (_, i) => ({ _id: `${endpoint} ${i}`, account: 'a', endpoint_id: endpoint })));
  return { queues, add, started, end: (id: string, outcome: Outcome): void => ends.get(id)?.(outcome) };
}

/** Time passes in steps, with what is stored meanwhile. */
async function pass(ms: number): Promise<void> {
  for (let n = 0; n < ms; n += 5) {
    await settleTurns(10);
    await clock.advance(5);
  }
}

test('the queue of an endpoint with a pace begins one after the other; others do not wait for it', async () => {
  const pacing = open();
  pacing.note('paced', 10);
  const { add, started } = queuesOf(pacing);
  add('paced', 3);
  add('other', 5);
  expect(started).toEqual([0, 1, 2, 3, 4].map((n) => `other ${n}`));
  await pass(40);
  expect(started.slice(5)).toEqual(['paced 0']);
  await pass(100);
  expect(started.slice(5)).toEqual(['paced 0', 'paced 1']);
  await pass(100);
  expect(started.slice(5)).toEqual(['paced 0', 'paced 1', 'paced 2']);
});

test('an item whose endpoint turns out to have a pace waits for it', async () => {
  const pacing = open();
  const { add, started, end } = queuesOf(pacing);
  add('paced', 2);
  pacing.note('paced', 10);
  end('paced 1', 'paced');
  expect(started).toEqual(['paced 0', 'paced 1']);
  await pass(60);
  expect(started).toEqual(['paced 0', 'paced 1', 'paced 1']);
});

test('what was reserved by a clock that was an hour ahead holds up nothing once it is set back', async () => {
  let ahead = 3_600_000;
  const pacing = createPacing(paces, { now: () => clock.now() + ahead }, (error) => errors.push(error));
  pacing.note('we_1', 20);
  expect(await begun([pacing], 3)).toHaveLength(3);
  ahead = 0;
  const at = await begun([pacing], 21);
  expect(at).toHaveLength(21);
  expect(at.at(-1)).toBeLessThanOrEqual(1_200);
  expect(errors).toEqual([]);
});
