import { settleTurns } from '@svc/kernel';
import { createLanes } from './lanes.ts';

interface Item {
  _id: string;
  lane: string;
}

function scene() {
  const open = new Map<string, (ok: boolean) => void>();
  const started: string[] = [];
  const lanes = createLanes<Item>({
    laneOf: ({ lane }) => lane,
    run: ({ _id }) => {
      started.push(_id);
      return new Promise((resolve) => open.set(_id, resolve));
    },
  });
  const items = (lane: string, n: number): Item[] => Array.from({ length: n }, (_, i) => ({ _id: `${lane}${i}`, lane }));
  const end = async (id: string, ok: boolean): Promise<void> => {
    open.get(id)?.(ok);
    await settleTurns(2);
  };
  return { lanes, items, started, end };
}

test('a healthy endpoint has 64 in flight; after a failure one at a time until one succeeds', async () => {
  const { lanes, items, started, end } = scene();
  lanes.add(items('a', 200));
  expect(started).toHaveLength(64);
  for (let n = 0; n < 64; n += 1) await end(`a${n}`, false);
  expect(started).toHaveLength(65);
  await end('a64', true);
  expect(started).toHaveLength(65 + 64);
});

test('an endpoint that hangs does not hold up another, and all together have 2,048 in flight', () => {
  const { lanes, items, started } = scene();
  lanes.add(items('hangs', 100));
  lanes.add(items('fast', 10));
  expect(started.filter((id) => id.startsWith('fast'))).toHaveLength(10);
  for (let n = 0; n < 40; n += 1) lanes.add(items(`l${n}-`, 64));
  expect(started).toHaveLength(2048);
});

test('an endpoint that hangs keeps 256 waiting and is given back the rest; another goes at once', () => {
  const { lanes, items, started } = scene();
  const back = lanes.add(items('hangs', 5_000));
  expect(back.map(({ _id }) => _id)).toEqual(
    items('hangs', 5_000)
      .slice(64 + 256)
      .map(({ _id }) => _id),
  );
  expect(lanes.add(items('fast', 64))).toEqual([]);
  expect(started.filter((id) => id.startsWith('fast'))).toHaveLength(64);
});

test('all together have 12,288 waiting; what was given back is taken when there is room', async () => {
  const { lanes, items, end } = scene();
  let taken = 0;
  for (let n = 0; n < 80; n += 1) taken += 300 - lanes.add(items(`l${n}-`, 300)).length;
  expect(taken).toBe(2_048 + 12_288);
  expect(lanes.add(items('late', 1))).toHaveLength(1);
  await end('l0-0', true);
  expect(lanes.add(items('late', 1))).toEqual([]);
});

test('what waits and comes again, claimed anew, is done once', async () => {
  const { lanes, items, started, end } = scene();
  lanes.add(items('a', 70));
  lanes.add(items('a', 70).slice(64));
  for (let n = 0; n < 70; n += 1) await end(`a${n}`, true);
  expect(new Set(started).size).toBe(70);
  expect(started).toHaveLength(70);
});

test('stop starts nothing more and answers what waits; drain waits for what is in flight', async () => {
  const { lanes, items, started, end } = scene();
  lanes.add(items('a', 66));
  expect(lanes.stop().map(({ _id }) => _id)).toEqual(['a64', 'a65']);
  let drained = false;
  const done = lanes.drain().then(() => (drained = true));
  await end('a0', true);
  expect(drained).toBe(false);
  for (let n = 1; n < 64; n += 1) await end(`a${n}`, true);
  await done;
  expect(started).toHaveLength(64);
});
