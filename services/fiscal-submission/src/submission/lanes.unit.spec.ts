import { settleTurns } from '@svc/kernel';
import { Lanes, type Place } from './lanes.ts';
import type { Row } from './row.ts';

const row = (id: string, lane = 'test.a', version = 1): Row => ({
  _id: id,
  version,
  lane,
  account: 'a',
  env: 'test',
  authority: 'sandbox',
  beyond: 0,
  due_at: 0,
});

/** Lanes whose work ends when the test says so. */
function scene() {
  const begun: { row: Row; place: Place; end: () => void }[] = [];
  const putOff: [string, number][] = [];
  const lanes = new Lanes({
    work: (taken, place) => new Promise((end) => begun.push({ row: taken, place, end })),
    putOff: (taken, ms) => putOff.push([taken._id, ms]),
  });
  const ids = () => begun.map(({ row: { _id } }) => _id);
  return { lanes, begun, putOff, ids };
}

test('four of a lane at once; other lanes have their own four', () => {
  const { lanes, ids } = scene();
  lanes.take(['1', '2', '3', '4', '5'].map((id) => row(id)));
  lanes.take([row('b1', 'test.b')]);
  expect(ids()).toEqual(['1', '2', '3', '4', 'b1']);
});

test('the next begins when a call is over, though its outcome is still being stored', async () => {
  const { lanes, begun, ids } = scene();
  lanes.take(['1', '2', '3', '4', '5', '6'].map((id) => row(id)));
  begun[0]?.place.giveUp();
  expect(ids()).toEqual(['1', '2', '3', '4', '5']);
  begun[1]?.end();
  await settleTurns();
  expect(ids()).toEqual(['1', '2', '3', '4', '5', '6']);
});

test('who wants another call waits for a place, before those that have not begun', async () => {
  const { lanes, begun, ids } = scene();
  lanes.take(['1', '2', '3', '4', '5', '6'].map((id) => row(id)));
  begun[0]?.place.giveUp();
  let isBack = false;
  const back = begun[0]?.place.take().then(() => (isBack = true));
  await settleTurns();
  expect(isBack).toBe(false);
  begun[1]?.place.giveUp();
  await back;
  expect(ids()).toEqual(['1', '2', '3', '4', '5']);
});

test('a row that comes again while it is worked on has its turn afterwards, as it is then', async () => {
  const { lanes, begun } = scene();
  lanes.take([row('1')]);
  lanes.take([row('1', 'test.a', 2)]);
  lanes.take([row('1', 'test.a', 3)]);
  expect(begun).toHaveLength(1);
  begun[0]?.end();
  await settleTurns();
  expect(begun.map(({ row: { version } }) => version)).toEqual([1, 3]);
});

test('a row that comes again while it waits is worked on once, as it is then', async () => {
  const { lanes, begun } = scene();
  lanes.take(['1', '2', '3', '4', '5'].map((id) => row(id)));
  lanes.take([row('5', 'test.a', 2)]);
  begun.slice(0, 4).forEach(({ end }) => end());
  await settleTurns();
  expect(begun.map(({ row: { _id, version } }) => `${_id}@${version}`)).toEqual(['1@1', '2@1', '3@1', '4@1', '5@2']);
});

test('a lane with too many waiting turns the rest away, the later the longer', () => {
  const { lanes, putOff } = scene();
  lanes.take(Array.from({ length: 2_004 }, (_, n) => row(`${n}`)));
  expect(putOff).toHaveLength(1_000);
  expect(putOff[0]?.[1]).toBeGreaterThanOrEqual(1_000);
  expect(putOff[999]?.[1]).toBeGreaterThan(putOff[0]?.[1] ?? 0);
});

test('drain waits for all that waits', async () => {
  const { lanes, begun } = scene();
  lanes.take(['1', '2', '3', '4', '5'].map((id) => row(id)));
  let isDone = false;
  const over = lanes.drain().then(() => (isDone = true));
  begun.forEach(({ end }) => end());
  await settleTurns();
  expect([isDone, begun.length]).toEqual([false, 5]);
  begun[4]?.end();
  await over;
});
