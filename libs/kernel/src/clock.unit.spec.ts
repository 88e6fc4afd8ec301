import { systemClock } from './clock.ts';
import { FakeClock } from './fake-clock.ts';

describe('fake clock', () => {
  let clock: FakeClock;
  let fired: string[];
  beforeEach(() => {
    clock = new FakeClock(1_000);
    fired = [];
  });
  const set = (name: string, ms: number) => clock.after(ms, () => fired.push(`${name} at ${clock.now()}`));

  test('fires timers in the order of their times, ties in the order they were set, each at its own time', async () => {
    set('late', 20);
    set('early', 10);
    set('tie', 10);
    await clock.advance(9);
    expect(fired).toEqual([]);
    await clock.advance(100);
    expect(fired).toEqual(['early at 1010', 'tie at 1010', 'late at 1020']);
    expect(clock.now()).toBe(1_109);
  });

  test('a timer that a timer sets fires in the same advance if it is due', async () => {
    clock.after(10, () => set('second', 5));
    await clock.advance(15);
    expect(fired).toEqual(['second at 1015']);
  });

  test('a cancelled timer does not fire, even when a timer of the same time cancels it', async () => {
    set('cancelled', 5)();
    clock.after(10, () => cancel());
    const cancel = set('cancelled too', 10);
    await clock.advance(50);
    expect(fired).toEqual([]);
  });

  test('the work that a timer starts runs before the next timer', async () => {
    clock.after(10, () => void Promise.resolve().then(() => fired.push('promise')));
    clock.after(20, () => fired.push('timer'));
    await clock.advance(20);
    expect(fired).toEqual(['promise', 'timer']);
  });

  test('nextAt is the time of the next timer', () => {
    expect(clock.nextAt()).toBeUndefined();
    set('late', 20);
    const cancel = set('early', 10);
    expect(clock.nextAt()).toBe(1_010);
    cancel();
    expect(clock.nextAt()).toBe(1_020);
  });

  test('sleep ends after its time, or at once when aborted, and leaves no timer', async () => {
    const aborting = new AbortController();
    void clock.sleep(10).then(() => fired.push('slept'));
    void clock.sleep(1_000, aborting.signal).then(() => fired.push('aborted'));
    await clock.advance(10);
    expect(fired).toEqual(['slept']);
    aborting.abort();
    await clock.advance(0);
    expect(fired).toEqual(['slept', 'aborted']);
    await clock.sleep(1_000, aborting.signal);
    expect(clock.nextAt()).toBeUndefined();
  });
});

describe('system clock', () => {
  test('fires after the time, not before', async () => {
    const start = performance.now();
    await systemClock.sleep(30);
    expect(performance.now() - start).toBeGreaterThan(28);
  });

  test('a cancelled timer does not fire; a timer beyond the limit of setTimeout does not fire at once', async () => {
    const fired: string[] = [];
    systemClock.after(5, () => fired.push('cancelled'))();
    const cancel = systemClock.after(2 ** 31 + 1_000, () => fired.push('in 25 days'));
    await systemClock.sleep(30);
    cancel();
    expect(fired).toEqual([]);
  });
});
