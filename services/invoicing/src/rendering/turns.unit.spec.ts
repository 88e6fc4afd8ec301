import { createTurns } from './turns.ts';

const limits = { waitingInAll: 48, waitingPerAccount: 12, known: 1_000 };

/** Takes everything, each job at its cost; in the order in which they were taken. */
function served(turns: ReturnType<typeof createTurns<string>>, costOf: (job: string) => number): string[] {
  const order: string[] = [];
  for (let taken = turns.take(); taken; taken = turns.take()) {
    order.push(taken.job);
    turns.charge(taken.account, costOf(taken.job));
  }
  return order;
}

test('turns go by the time that was used: one long job of an account weighs as much as many short ones of another', () => {
  const turns = createTurns<string>(limits);
  for (const job of ['long 1', 'long 2', 'long 3']) turns.add('a', job);
  for (const job of ['s1', 's2', 's3', 's4', 's5', 's6']) turns.add('b', job);
  const order = served(turns, (job) => (job.startsWith('long') ? 5_000 : 1_000));
  expect(order).toEqual(['long 1', 's1', 's2', 's3', 's4', 's5', 'long 2', 's6', 'long 3']);
});

test('an account that comes waits for the job under way alone, whatever ten others have waiting', () => {
  const turns = createTurns<string>(limits);
  const accounts = Array.from({ length: 10 }, (_, n) => `account ${n}`);
  for (const account of accounts) for (let n = 0; n < 5; n += 1) turns.add(account, account);
  let cost = 5_000;
  for (let n = 0; n < 25; n += 1) turns.charge(turns.take()!.account, (cost += 1));
  const underWay = turns.take()!;
  expect(turns.add('victim', 'small')).toBe(true);
  turns.charge(underWay.account, cost);
  expect(turns.take()!.job).toBe('small');
});

test('who was away has saved nothing, and who goes and comes again has not lost what it used', () => {
  const turns = createTurns<string>(limits);
  turns.add('a', 'a1');
  turns.take();
  turns.add('b', 'b1');
  turns.add('b', 'b2');
  turns.charge('a', 3_000); // nothing of `a` waits
  turns.add('a', 'a2');
  turns.add('c', 'c1');
  expect(served(turns, () => 1_000)).toEqual(['b1', 'c1', 'b2', 'a2']);
});

test('one account cannot fill the places, and the last are for accounts that have none', () => {
  const turns = createTurns<string>(limits);
  const added = (account: string): number => Array.from({ length: 20 }, () => turns.add(account, 'job')).filter(Boolean).length;
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map(added)).toEqual([12, 12, 12, 4, 1, 1]);
});

test('accounts that have nothing waiting are forgotten at the latest when too many are known', () => {
  const turns = createTurns<string>({ ...limits, known: 2 });
  for (const account of ['a', 'b', 'c']) turns.charge(account, 1_000); // the first is forgotten
  for (const account of ['c', 'b', 'a']) turns.add(account, account);
  expect(served(turns, () => 1)).toEqual(['a', 'b', 'c']);
});

test('a job that is removed is not taken, and its place is free', () => {
  const turns = createTurns<string>({ ...limits, waitingPerAccount: 1 });
  turns.add('a', 'a1');
  turns.remove('a', 'a1');
  turns.remove('a', 'unknown');
  expect(turns.add('a', 'a2')).toBe(true);
  expect(turns.clear()).toEqual(['a2']);
  expect(turns.take()).toBeUndefined();
});
