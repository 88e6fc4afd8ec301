import { createFairQueue } from './fair-queue.ts';

const limits = { waitingInAll: 48, waitingPerAccount: 12, known: 1_000 };

/** Takes everything, each job at its cost; in the order in which they were taken. */
function served(queue: ReturnType<typeof createFairQueue<string>>, costOf: (job: string) => number): string[] {
  const order: string[] = [];
  for (let taken = queue.take(); taken; taken = queue.take()) {
    order.push(taken.job);
    queue.charge(taken.account, costOf(taken.job));
  }
  return order;
}

test('turns go by the time that was used: one long job of an account weighs as much as many short ones of another', () => {
  const queue = createFairQueue<string>(limits);
  for (const job of ['long 1', 'long 2', 'long 3']) queue.add('a', job);
  for (const job of ['s1', 's2', 's3', 's4', 's5', 's6']) queue.add('b', job);
  const order = served(queue, (job) => (job.startsWith('long') ? 5_000 : 1_000));
  expect(order).toEqual(['long 1', 's1', 's2', 's3', 's4', 's5', 'long 2', 's6', 'long 3']);
});

test('a job that is expected to cost much comes behind those of accounts that have spent less than that', () => {
  const queue = createFairQueue<string>(limits);
  queue.add('a', 'long', 2_000);
  for (const job of ['s1', 's2', 's3']) queue.add('b', job);
  expect(served(queue, () => 1_500)).toEqual(['s1', 's2', 'long', 's3']);
});

test('an account that comes waits for the job under way alone, whatever ten others have waiting', () => {
  const queue = createFairQueue<string>(limits);
  const accounts = Array.from({ length: 10 }, (_, n) => `account ${n}`);
  for (const account of accounts) for (let n = 0; n < 5; n += 1) queue.add(account, account);
  let cost = 5_000;
  for (let n = 0; n < 25; n += 1) queue.charge(queue.take()!.account, (cost += 1));
  const underWay = queue.take()!;
  expect(queue.add('victim', 'small')).toBe(true);
  queue.charge(underWay.account, cost);
  expect(queue.take()!.job).toBe('small');
});

test('who was away has saved nothing, and who goes and comes again has not lost what it used', () => {
  const queue = createFairQueue<string>(limits);
  queue.add('a', 'a1');
  queue.take();
  queue.add('b', 'b1');
  queue.add('b', 'b2');
  queue.charge('a', 3_000); // nothing of `a` waits
  queue.add('a', 'a2');
  queue.add('c', 'c1');
  expect(served(queue, () => 1_000)).toEqual(['b1', 'c1', 'b2', 'a2']);
});

test('one account cannot fill the places, and the last are for accounts that have none', () => {
  const queue = createFairQueue<string>(limits);
  const added = (account: string): number => Array.from({ length: 20 }, () => queue.add(account, 'job')).filter(Boolean).length;
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map(added)).toEqual([12, 12, 12, 4, 1, 1]);
});

test('accounts that have nothing waiting are forgotten at the latest when too many are known', () => {
  const queue = createFairQueue<string>({ ...limits, known: 2 });
  for (const account of ['a', 'b', 'c']) queue.charge(account, 1_000); // the first is forgotten
  for (const account of ['c', 'b', 'a']) queue.add(account, account);
  expect(served(queue, () => 1)).toEqual(['a', 'b', 'c']);
});

test('a job that is removed is not taken, and its place is free', () => {
  const queue = createFairQueue<string>({ ...limits, waitingPerAccount: 1 });
  queue.add('a', 'a1');
  queue.remove('a', 'a1');
  queue.remove('a', 'unknown');
  expect(queue.add('a', 'a2')).toBe(true);
  expect(queue.clear()).toEqual(['a2']);
  expect(queue.take()).toBeUndefined();
});
