import { FakeClock, systemClock } from '@svc/kernel';
import { inSlices, type Slicing } from './slices.ts';

const busy = (ms: number): void => {
  for (const until = systemClock.now() + ms; systemClock.now() < until;);
};
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs `count` pieces of work of `ms` each, which end two turns later. */
async function run(count: number, ms: number, mayBeFull = (_underWay: number) => false, clock: Slicing['clock'] = systemClock) {
  const started: number[] = [];
  let [open, mostOpen, turns] = [0, 0, 0];
  const work = async (index: number): Promise<void> => {
    started.push(index);
    mostOpen = Math.max(mostOpen, (open += 1));
    await Promise.resolve();
    busy(ms);
    await nextTurn();
    await nextTurn();
    open -= 1;
  };
  const turn = (): Promise<void> => {
    turns += 1;
    return nextTurn();
  };
  await inSlices(count, work, { clock, turn, mayBeFull });
  return { started, open, mostOpen, turns };
}

test('short work starts in order, all of it before the first has ended, and is awaited', async () => {
  const { started, open, mostOpen } = await run(50, 0);
  expect(started).toEqual(Array.from({ length: 50 }, (_, n) => n));
  expect([open, mostOpen]).toEqual([0, 50]);
});

test('work that may not fit waits for what is under way, and starts in order', async () => {
  const { started, open, mostOpen } = await run(50, 0, (underWay) => underWay >= 3);
  expect(started).toEqual(Array.from({ length: 50 }, (_, n) => n));
  expect([open, mostOpen]).toEqual([0, 3]);
});

test('work that never fits is done one at a time', async () => {
  expect(await run(5, 0, () => true)).toMatchObject({ started: [0, 1, 2, 3, 4], mostOpen: 1 });
});

test('long work leaves turns to others, and little of it is open at a time', async () => {
  const { started, open, mostOpen, turns } = await run(12, 10);
  expect([started.length, open, turns]).toEqual([12, 0, 12]);
  expect(mostOpen).toBeLessThanOrEqual(2);
});

test('only the given clock divides the work: on one that does not move, a busy machine changes nothing', async () => {
  expect(await run(4, 10, () => false, new FakeClock())).toMatchObject({ started: [0, 1, 2, 3], mostOpen: 4, turns: 0 });
});
