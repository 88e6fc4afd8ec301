import { FakeClock, type Clock } from '@svc/kernel';
import type { Witness } from '../witnesses.ts';

/** A machine whose clock can be set, beside the true time. */
export function wrongClock(start = Date.UTC(2026, 10, 26, 12)) {
  const truth = new FakeClock(start);
  let aheadMs = 0;
  let asleepMs = 0;
  const clock: Clock = { now: () => truth.now() + aheadMs, after: truth.after.bind(truth), sleep: truth.sleep };
  return {
    truth,
    clock,
    monotonic: () => truth.now() - start - asleepMs,
    /** Sets the machine's clock to so much beyond the true time; negative: behind it. */
    set: (ms: number) => void (aheadMs = ms),
    /** Time passes, and the monotonic clock stands still. */
    async sleep(ms: number) {
      asleepMs += ms;
      await truth.advance(ms);
    },
  };
}

/** A witness of the true time, or of one that is wrong by `wrongMs`. */
export function witness(name: string, truth: FakeClock, wrongMs = 0): Witness & { asked: number; answers: boolean } {
  const one = {
    name,
    asked: 0,
    answers: true,
    async time() {
      one.asked += 1;
      if (!one.answers) throw new Error('no answer');
      return truth.now() + wrongMs;
    },
  };
  return one;
}
