import { FakeClock, type Uid } from '@svc/kernel';
import type { Begun } from './store.ts';
import { createWaiting } from './waiting.ts';

const request = { scope: 'test.acct_1', key: 'k', fingerprint: 'f', command: 'c1' as Uid };
const elsewhere: Begun = { kind: 'in_use', elsewhere: true };
const reused: Begun = { kind: 'reused' };

/** Answers as a store does whose key is free at this time, in milliseconds. */
function opened({ free, taken = elsewhere }: { free: number; taken?: Begun }) {
  const clock = new FakeClock();
  const from = clock.now();
  let asked = 0;
  const begin = createWaiting(
    {
      begin: async () => {
        asked += 1;
        return clock.now() - from >= free ? reused : taken;
      },
    },
    clock,
  );
  return { clock, begin, asked: () => asked };
}

test('a repeat waits until the other process has answered or is gone', async () => {
  const { clock, begin } = opened({ free: 3_000 });
  const begun = begin(request, 100);
  await clock.advance(4_000);
  expect(await begun).toBe(reused);
});

test('it waits five seconds at most, and asks a few times', async () => {
  const { clock, begin, asked } = opened({ free: Infinity });
  const begun = begin(request, 100);
  await clock.advance(5_000);
  expect(await begun).toBe(elsewhere);
  expect(asked()).toBeLessThan(12);
});

test('what runs in this process is not waited for', async () => {
  const { begin } = opened({ free: Infinity, taken: { kind: 'in_use' } });
  expect(await begin(request, 100)).toEqual({ kind: 'in_use' });
});

test('of an account as many wait as fit into a mebibyte; others have as much', async () => {
  const { clock, begin, asked } = opened({ free: Infinity });
  const waiting = Array.from({ length: 64 }, () => begin(request, 100));
  await clock.advance(50);
  expect(asked()).toBe(64);
  expect(await begin(request, 100)).toBe(elsewhere);
  expect(asked()).toBe(65);
  const other = begin({ ...request, scope: 'test.acct_2' }, 1024 * 1024);
  await clock.advance(50);
  expect(await begin({ ...request, scope: 'test.acct_2' }, 100)).toBe(elsewhere);
  await clock.advance(5_000);
  expect(await Promise.all([...waiting, other])).toEqual(Array(65).fill(elsewhere));
  const before = asked();
  const again = begin(request, 100);
  await clock.advance(5_000);
  expect(await again).toBe(elsewhere);
  expect(asked()).toBeGreaterThan(before + 5);
});
