import { FakeClock, settleTurns } from '@svc/kernel';
import { createQueues, type Outcome } from './queues.ts';

interface Item {
  _id: string;
  account: string;
  endpoint_id: string;
  body: number;
}

const MIB = 1024 * 1024;

function fixture({ row = 1_000 } = {}) {
  const clock = new FakeClock();
  const open = new Map<string, (outcome: Outcome) => void>();
  const started: Item[] = [];
  const refills: string[] = [];
  const queues = createQueues<Item>({
    pacing: { waitMs: () => 0, begin: () => false, within: () => Infinity },
    after: clock.after.bind(clock),
    waitingBytes: () => row,
    bodyBytes: ({ body }) => body,
    since: ({ body }) => body,
    run: (item) => {
      started.push(item);
      return new Promise((resolve) => open.set(item._id, resolve));
    },
    refill: (_account, endpoint) => void refills.push(endpoint),
  });
  const items = (account: string, endpoint: string, n: number, body = 1_000): Item[] =>
    Array.from({ length: n }, (_, i) => ({ _id: `${account} ${endpoint} ${i}`, account, endpoint_id: `${account} ${endpoint}`, body }));
  const inFlight = (prefix: string): number => [...open.keys()].filter((id) => id.startsWith(prefix)).length;
  const end = async (id: string, outcome: Outcome): Promise<void> => {
    const done = open.get(id);
    open.delete(id);
    done?.(outcome);
    await settleTurns(2);
  };
  return { queues, items, started, refills, inFlight, end, open };
}

test('allows a healthy endpoint 64 in flight, one at a time after a failure until a success; a skipped item changes nothing', async () => {
  const { queues, items, started, end } = fixture();
  queues.add(items('a', 'e', 200));
  expect(started).toHaveLength(64);
  for (let n = 0; n < 64; n += 1) await end(`a e ${n}`, 'failed');
  expect(started).toHaveLength(65);
  await end('a e 64', 'skipped');
  expect(started).toHaveLength(66);
  await end('a e 65', 'succeeded');
  expect(started).toHaveLength(66 + 64);
});

test('an endpoint that fails by what is stored has one in flight: the others wait, before those that came later', async () => {
  const { queues, items, started, end, inFlight } = fixture();
  queues.add(items('a', 'e', 70));
  const waits = Array.from({ length: 64 }, () => queues.note('a', 'a e', true));
  expect(waits).toEqual(Array(64).fill(true));
  for (let n = 0; n < 64; n += 1) await end(`a e ${n}`, 'paced');
  expect([inFlight('a'), started.length]).toEqual([1, 65]);
  expect([queues.note('a', 'a e', true), queues.capacity('a', 'a e')]).toEqual([false, 0]);
  await end(started.at(-1)?._id ?? '', 'succeeded');
  expect(inFlight('a')).toBe(64);
});

test('leaves permits to others beside an account with 40 hanging endpoints: 64 for the first, some for hundreds after it', () => {
  const { queues, items, inFlight } = fixture();
  for (let n = 0; n < 40; n += 1) queues.add(items('slow', `e${n}`, 128));
  expect(inFlight('slow')).toBeGreaterThan(1_200);
  for (let n = 0; n < 40; n += 1) expect(inFlight(`slow e${n} `)).toBeGreaterThan(0);
  queues.add(items('victim', 'e', 100));
  expect(inFlight('victim')).toBe(64);
  for (let n = 0; n < 250; n += 1) {
    queues.add(items(`late${n}-`, 'e', 64));
    expect(inFlight(`late${n}-`)).toBeGreaterThan(0);
  }
});

test('gives no more permits to an account above its share while others wait, and keeps its share', async () => {
  const { queues, items, inFlight, end, open } = fixture();
  const fill = (account: string): void => {
    for (let n = 0; n < 40; n += 1) queues.add(items(account, `e${n}`, 600));
  };
  fill('first');
  fill('second');
  fill('third');
  const before = inFlight('first');
  expect(before).toBeGreaterThan(1_200);
  for (let round = 0; round < 2; round += 1) for (const id of [...open.keys()]) await end(id, 'succeeded');
  const [first, second, third] = ['first', 'second', 'third'].map(inFlight);
  for (const held of [first, second, third]) {
    expect(held).toBeGreaterThan(420);
    expect(held).toBeLessThan(600);
  }
});

test('shares an account’s permits among its endpoints: hanging ones leave permits to a healthy one', async () => {
  const { queues, items, inFlight, end, started } = fixture();
  for (let n = 0; n < 39; n += 1) queues.add(items('a', `slow${n}`, 128));
  queues.add(items('a', 'quick', 128));
  expect(inFlight('a quick')).toBeGreaterThan(0);
  for (let n = 0; n < 128; n += 1) await end(`a quick ${n}`, 'succeeded');
  expect(started.filter(({ endpoint_id }) => endpoint_id === 'a quick')).toHaveLength(128);
});

test('lets endpoints take turns when permits are few', async () => {
  const { queues, items, started, open, end } = fixture();
  for (let n = 0; n < 200; n += 1) queues.add(items(`other${n}`, 'e', 64));
  queues.add(items('a', 'one', 20));
  queues.add(items('a', 'two', 20));
  for (let n = 0; n < 10; n += 1) {
    const id = [...open.keys()].find((its) => its.startsWith('a ')) as string;
    await end(id, 'succeeded');
  }
  const turns = started.filter(({ account }) => account === 'a').map(({ endpoint_id }) => endpoint_id);
  expect(turns.filter((its) => its === 'a one').length).toBeGreaterThan(3);
  expect(turns.filter((its) => its === 'a two').length).toBeGreaterThan(3);
});

test('keeps bodies in flight below 128 MiB, and leaves capacity beside an account with large ones', () => {
  const { queues, items, inFlight } = fixture();
  for (let n = 0; n < 20; n += 1) queues.add(items('large', `e${n}`, 128, MIB));
  expect(inFlight('large')).toBeGreaterThan(60);
  expect(inFlight('large')).toBeLessThan(100);
  for (let n = 0; n < 400; n += 1) queues.add(items(`more${n}-`, 'e', 64, MIB));
  expect(inFlight('')).toBeLessThanOrEqual(129);
  expect(inFlight('more0-')).toBeGreaterThan(5);
});

test('lets 128 wait for an endpoint, and 4 for a failing one', async () => {
  const { queues, items, end } = fixture();
  expect(queues.capacity('a', 'a e')).toBe(128);
  queues.add(items('a', 'e', 128));
  expect(queues.capacity('a', 'a e')).toBe(64);
  queues.add(items('f', 'e', 1));
  await end('f e 0', 'failed');
  expect(queues.capacity('f', 'f e')).toBe(4);
});

test('lets 512 wait where new ones arrive, and 4 for a failing endpoint', async () => {
  const { queues, items, end } = fixture();
  queues.add(items('a', 'e', 64 + 500));
  expect([queues.capacityForNew('a', 'a e'), queues.capacity('a', 'a e')]).toEqual([12, 0]);
  queues.add(items('f', 'e', 1));
  await end('f e 0', 'failed');
  expect(queues.capacityForNew('f', 'f e')).toBe(4);
});

test('returns since when the first in line waits, but not of a failing endpoint nor of what is in flight', async () => {
  const { queues, items, end } = fixture();
  queues.add(items('a', 'e', 64, 1));
  expect(queues.waitingSince()).toBeUndefined();
  queues.add(items('a', 'f', 64 + 2, 7));
  queues.add(items('b', 'e', 64 + 2, 5));
  expect(queues.waitingSince()).toBe(5);
  await end('b e 0', 'failed');
  expect(queues.waitingSince()).toBe(7);
});

test('keeps waiting rows below 16 MiB, and leaves capacity beside an account with large ones', () => {
  const { queues, items, inFlight } = fixture({ row: 16_000 });
  let taken = 0;
  const fill = (account: string): void => {
    for (let n = 0; n < 40; n += 1) {
      const capacity = queues.capacity(account, `${account} e${n}`);
      queues.add(items(account, `e${n}`, capacity));
      taken += capacity;
    }
  };
  fill('a');
  expect(queues.capacity('a', 'a e39')).toBe(0);
  expect(queues.capacity('b', 'b e0')).toBe(128);
  for (let n = 0; n < 20; n += 1) fill(`b${n}`);
  expect((taken - inFlight('')) * 16_000).toBeLessThan(18 * MIB); // At most one endpoint's capacity above the limit.
});

test('refills an endpoint with more due rows when its queue is half empty', async () => {
  const { queues, items, refills, end } = fixture();
  queues.add(items('a', 'e', 192));
  queues.behind('a', 'a e', true);
  for (let n = 0; n < 63; n += 1) await end(`a e ${n}`, 'succeeded');
  expect(refills).toEqual([]);
  await end('a e 63', 'succeeded');
  expect(refills).toEqual(['a e']);
});

test('sends an item once when it is added again while it waits', async () => {
  const { queues, items, started, end } = fixture();
  queues.add(items('a', 'e', 70));
  queues.add(items('a', 'e', 70).slice(64));
  for (let n = 0; n < 70; n += 1) await end(`a e ${n}`, 'succeeded');
  expect(new Set(started.map(({ _id }) => _id)).size).toBe(70);
  expect(started).toHaveLength(70);
});

test('stop starts nothing more and returns the waiting items; drain waits for those in flight', async () => {
  const { queues, items, started, end } = fixture();
  queues.add(items('a', 'e', 66));
  expect(queues.stop().map(({ _id }) => _id)).toEqual(['a e 64', 'a e 65']);
  let drained = false;
  const done = queues.drain().then(() => (drained = true));
  await end('a e 0', 'succeeded');
  expect(drained).toBe(false);
  for (let n = 1; n < 64; n += 1) await end(`a e ${n}`, 'succeeded');
  await done;
  expect(started).toHaveLength(64);
});
