import { FakeClock } from '@svc/kernel';
import { limiterSuite, windows } from './limiter.suite.ts';
import { memoryLimiter } from './counters.ts';

limiterSuite('memory', async (clock) => memoryLimiter(clock));

describe('the capacity of a memory limiter', () => {
  const one = { windows: windows(['ip', 60]) };

  test('is bounded: idle scopes are evicted for new ones', async () => {
    const clock = new FakeClock();
    const limiter = memoryLimiter(clock, 3);
    for (let n = 0; n < 100; n += 1) expect(limiter.take(`ip ${n}`, one).remaining).toBe(59);
  });

  test('keeps active scopes while there is room', async () => {
    const clock = new FakeClock();
    const limiter = memoryLimiter(clock, 100);
    limiter.take('busy', one);
    for (let n = 0; n < 80; n += 1) limiter.take(`ip ${n}`, one);
    expect(limiter.take('busy', one).remaining).toBe(58);
    await clock.advance(61_000);
    for (let n = 0; n < 80; n += 1) limiter.take(`later ${n}`, one);
    expect(limiter.take('busy', one).remaining).toBe(59);
  });

  test('is separate for addresses, which evict no caller', () => {
    const limiter = memoryLimiter(new FakeClock(), 10);
    const account = { windows: windows(['plan', 60]) };
    limiter.take('test.acct_1', account);
    for (let n = 0; n < 1_000; n += 1) limiter.take(`ip ${n}`, one);
    expect(limiter.take('test.acct_1', account).remaining).toBe(58);
  });
});
