import { settleTurns } from '@svc/kernel';
import { KeyedQueues, type Permit } from './keyed-queues.ts';
import type { Row } from './row.ts';

const row = (id: string, lane = 'test.a', version = 1): Row => ({
  _id: id,
  version,
  lane,
  account: 'a',
  env: 'test',
  authority: 'sandbox',
  beyond: 0,
  waits_for: 'authority',
  waits_since: 0,
  due_at: 0,
});

/** Queues whose work ends when the test says so. */
function fixture() {
  const begun: { row: Row; permit: Permit; end: () => void }[] = [];
  const putOff: [string, number][] = [];
  const queues = new KeyedQueues({
    atOnce: () => 4,
    isFresh: ({ waits_since }) => waits_since === 1,
    work: (taken, permit) => new Promise((end) => begun.push({ row: taken, permit, end })),
    putOff: (taken, ms) => putOff.push([taken._id, ms]),
  });
  const ids = () => begun.map(({ row: { _id } }) => _id);
  return { queues, begun, putOff, ids };
}

test('runs four rows of a key at once, independent of other keys', () => {
  const { queues, ids } = fixture();
  queues.take(['1', '2', '3', '4', '5'].map((id) => row(id)));
  queues.take([row('b1', 'test.b')]);
  expect(ids()).toEqual(['1', '2', '3', '4', 'b1']);
});

test('starts the next row when a call is over, while the outcome is still being stored', async () => {
  const { queues, begun, ids } = fixture();
  queues.take(['1', '2', '3', '4', '5', '6'].map((id) => row(id)));
  begun[0]?.permit.release();
  expect(ids()).toEqual(['1', '2', '3', '4', '5']);
  begun[1]?.end();
  await settleTurns();
  expect(ids()).toEqual(['1', '2', '3', '4', '5', '6']);
});

test('gives a free permit to a row that wants another call before new rows', async () => {
  const { queues, begun, ids } = fixture();
  queues.take(['1', '2', '3', '4', '5', '6'].map((id) => row(id)));
  begun[0]?.permit.release();
  let isBack = false;
  const back = begun[0]?.permit.acquire().then(() => (isBack = true));
  await settleTurns();
  expect(isBack).toBe(false);
  begun[1]?.permit.release();
  await back;
  expect(ids()).toEqual(['1', '2', '3', '4', '5']);
});

test('runs a row again with its latest version when it is added during its work', async () => {
  const { queues, begun } = fixture();
  queues.take([row('1')]);
  queues.take([row('1', 'test.a', 2)]);
  queues.take([row('1', 'test.a', 3)]);
  expect(begun).toHaveLength(1);
  begun[0]?.end();
  await settleTurns();
  expect(begun.map(({ row: { version } }) => version)).toEqual([1, 3]);
});

test('runs a row once with its latest version when it is added while it waits', async () => {
  const { queues, begun } = fixture();
  queues.take(['1', '2', '3', '4', '5'].map((id) => row(id)));
  queues.take([row('5', 'test.a', 2)]);
  begun.slice(0, 4).forEach(({ end }) => end());
  await settleTurns();
  expect(begun.map(({ row: { _id, version } }) => `${_id}@${version}`)).toEqual(['1@1', '2@1', '3@1', '4@1', '5@2']);
});

test('applies backpressure to a key with too many waiting rows: later rows wait longer', () => {
  const { queues, putOff } = fixture();
  queues.take(Array.from({ length: 2_004 }, (_, n) => row(`${n}`)));
  expect(putOff).toHaveLength(1_000);
  expect(putOff[0]?.[1]).toBeGreaterThanOrEqual(1_000);
  expect(putOff[999]?.[1]).toBeGreaterThan(putOff[0]?.[1] ?? 0);
});

test('drain waits for running and waiting rows', async () => {
  const { queues, begun } = fixture();
  queues.take(['1', '2', '3', '4', '5'].map((id) => row(id)));
  let isDone = false;
  const over = queues.drain().then(() => (isDone = true));
  begun.forEach(({ end }) => end());
  await settleTurns();
  expect([isDone, begun.length]).toEqual([false, 5]);
  begun[4]?.end();
  await over;
});

test('the full queues of ten accounts in both environments leave room for another account', () => {
  const { queues, putOff, ids } = fixture();
  const full = (lane: string) => Array.from({ length: 1_100 }, (_, n) => row(`${lane} ${n}`, lane));
  for (let n = 0; n < 20; n += 1) queues.take(full(`test.${n}`));
  queues.take(['v1', 'v2', 'v3', 'v4', 'v5', 'v6'].map((id) => row(id, 'test.victim')));
  expect(ids().slice(-4)).toEqual(['v1', 'v2', 'v3', 'v4']);
  expect(putOff.filter(([id]) => id.startsWith('v'))).toEqual([]);
});

test('fresh documents go before a backlog, of which every eighth turn is, and are taken in where it is full', async () => {
  const { queues, begun, ids, putOff } = fixture();
  queues.take(Array.from({ length: 1_010 }, (_, n) => row(`old ${n}`)));
  queues.take(Array.from({ length: 12 }, (_, n) => ({ ...row(`new ${n}`), waits_since: 1 })));
  expect(putOff.length).toBe(6);
  for (let n = 0; n < 8; n += 1) {
    begun[n]?.end();
    await settleTurns();
  }
  expect(ids().slice(4)).toEqual(['new 0', 'new 1', 'new 2', 'old 4', 'new 3', 'new 4', 'new 5', 'new 6']);
});
