import { type Clock, FakeClock } from '@svc/kernel';
import fc from 'fast-check';
import type { Charge, Limiter, WindowCharge } from './port.ts';

export const windows = (...all: [WindowCharge['name'], number, number?][]): WindowCharge[] =>
  all.map(([name, size, cost = 1]) => ({ name, size, cost }));
const plan = (size: number, burst?: Charge['burst']): Charge => ({ windows: windows(['plan', size]), burst });

/** Contract of every limiter. `open` creates an empty one. */
export function limiterSuite(name: string, open: (clock: Clock) => Promise<Limiter>): void {
  describe(`${name} limits`, () => {
    let clock: FakeClock;
    let limiter: Limiter;
    let setBack: number;
    const take = async (charge: Charge, scope = 'test.acct_1') => limiter.take(scope, charge);
    const admitted = async (times: number, charge: Charge, scope?: string): Promise<number> => {
      const results = await Promise.all(Array.from({ length: times }, () => take(charge, scope)));
      return results.filter((result) => result.admitted).length;
    };
    beforeEach(async () => {
      clock = new FakeClock();
      setBack = 0;
      limiter = await open({ now: () => clock.now() - setBack, after: clock.after.bind(clock), sleep: clock.sleep });
    });

    test('admits exactly its number in a window, also when all come at once', async () => {
      expect(await admitted(200, plan(50))).toBe(50);
      expect(await take(plan(50))).toMatchObject({ admitted: false, limit: 50, remaining: 0 });
    });

    test('a window starts with the first request it counts and lasts 60 s', async () => {
      const start = clock.now();
      await take(plan(2));
      await clock.advance(59_999);
      expect(await take(plan(2))).toMatchObject({ admitted: true, remaining: 0, resetAt: start + 60_000 });
      expect((await take(plan(2))).admitted).toBe(false);
      await clock.advance(1);
      expect(await take(plan(2))).toMatchObject({ admitted: true, remaining: 1, resetAt: clock.now() + 60_000 });
    });

    test.each([3_600_000, 20 * 24 * 3_600_000])(
      'what was used up by a clock that was %d ms ahead is there again once it is set back',
      async (ms) => {
        const bursting = plan(600, { size: 20, perMinute: 600, cost: 1 });
        expect([await admitted(5, plan(3)), await admitted(60, bursting, 'test.acct_2')]).toEqual([3, 20]);
        setBack = ms;
        expect([await admitted(5, plan(3)), await admitted(60, bursting, 'test.acct_2')]).toEqual([3, 20]);
      },
    );

    test('by a clock that is set back for less than a minute it is so within two', async () => {
      expect(await admitted(5, plan(3))).toBe(3);
      setBack = 50_000;
      expect(await admitted(5, plan(3))).toBe(0);
      await clock.advance(110_000);
      expect(await admitted(5, plan(3))).toBe(3);
    });

    test('scopes do not share anything', async () => {
      expect(await admitted(5, plan(3), 'test.acct_1')).toBe(3);
      expect(await admitted(5, plan(3), 'live.acct_1')).toBe(3);
    });

    test('a request that one limit rejects consumes nothing of another', async () => {
      const report: Charge = { windows: windows(['plan', 40], ['reports', 5]), burst: { size: 100, perMinute: 40, cost: 1 } };
      expect(await admitted(25, report)).toBe(5);
      expect(await take(plan(40))).toMatchObject({ remaining: 34 });
      const bursting = plan(60, { size: 2, perMinute: 60, cost: 1 });
      expect(await admitted(9, bursting, 'test.acct_2')).toBe(2);
      expect(await take(plan(60), 'test.acct_2')).toMatchObject({ remaining: 57 });
    });

    test('what is given back has room again, and neither starts a window nor makes one larger', async () => {
      const back: Charge = { windows: windows(['plan', 2, -1]) };
      expect(await take(back)).toMatchObject({ admitted: true, remaining: 2 });
      expect(await admitted(3, plan(2))).toBe(2);
      await take(back);
      expect(await admitted(2, plan(2))).toBe(1);
      for (let n = 0; n < 5; n += 1) await take(back);
      expect(await admitted(4, plan(2))).toBe(2);
    });

    test('a refused request does not start a window', async () => {
      await admitted(5, { windows: windows(['reports', 5]) });
      await clock.advance(30_000);
      await take({ windows: windows(['plan', 10], ['reports', 5]) });
      await clock.advance(40_000);
      expect(await take(plan(10))).toMatchObject({ remaining: 9, resetAt: clock.now() + 60_000 });
    });

    test('the bucket starts full and refills at the rate of the plan up to its size', async () => {
      const charge = plan(600, { size: 20, perMinute: 600, cost: 1 });
      expect(await admitted(60, charge)).toBe(20);
      await clock.advance(1000);
      expect(await admitted(60, charge)).toBe(10);
      await clock.advance(50_000);
      expect(await admitted(60, charge)).toBe(20);
    });

    test('a rejection by the bucket shows the plan with nothing left and the time of the next token', async () => {
      const charge = plan(60, { size: 1, perMinute: 60, cost: 1 });
      await take(charge);
      await clock.advance(250);
      expect(await take(charge)).toMatchObject({ admitted: false, limit: 60, remaining: 0, resetAt: clock.now() + 750 });
      await clock.advance(750);
      expect((await take(charge)).admitted).toBe(true);
    });

    test('shows the window with the fewest left, and every limit in the standings', async () => {
      const charge: Charge = { windows: windows(['plan', 100], ['submit', 10]), burst: { size: 30, perMinute: 100, cost: 1 } };
      const result = await take(charge);
      expect(result).toMatchObject({ limit: 10, remaining: 9 });
      expect(result.standings.map(({ name, left }) => [name, left])).toEqual([['plan', 99], ['submit', 9], ['burst', 29]]); // prettier-ignore
    });

    test('of several rejecting windows it shows the one that ends last', async () => {
      await admitted(2, { windows: windows(['reports', 2]) });
      await clock.advance(10_000);
      await admitted(3, plan(3));
      const both: Charge = { windows: windows(['plan', 3], ['reports', 2]) };
      expect(await take(both)).toMatchObject({ admitted: false, limit: 3, resetAt: clock.now() + 60_000 });
    });

    test('charges a cost above 1 entirely or not at all, and only reads at cost 0', async () => {
      const submit = (cost: number): Charge => ({ windows: windows(['plan', 9, 0], ['submit', 10, cost]) });
      expect(await take(submit(11))).toMatchObject({ admitted: false, limit: 10, remaining: 0 });
      expect(await take(submit(7))).toMatchObject({ admitted: true, remaining: 3 });
      expect((await take(submit(4))).admitted).toBe(false);
      expect(await take(submit(3))).toMatchObject({ admitted: true, remaining: 0 });
      expect(await take(submit(0))).toMatchObject({ admitted: true, remaining: 0 });
      expect(await take(plan(9))).toMatchObject({ remaining: 8 });
    });

    test('a changed size applies from the next request on', async () => {
      expect(await admitted(10, plan(5))).toBe(5);
      expect(await take(plan(7))).toMatchObject({ admitted: true, limit: 7, remaining: 1 });
      expect(await take(plan(3))).toMatchObject({ admitted: false, remaining: 0 });
    });

    test('a window of submissions says the highest cost that it has refused, until it ends', async () => {
      const submit = (cost: number): Charge => ({ windows: windows(['submit', 10, cost]) });
      const refused = async (): Promise<number | undefined> => (await take(submit(0))).standings[0]?.refused;
      await take(submit(5));
      expect(await refused()).toBeUndefined();
      for (const cost of [7, 10, 6]) expect((await take(submit(cost))).admitted).toBe(false);
      expect([await refused(), (await take(submit(5))).admitted]).toEqual([10, true]);
      await clock.advance(60_000);
      expect(await refused()).toBeUndefined();
    });

    test('admits exactly as many requests as each window has room for', async () => {
      const steps = fc.array(fc.record({ wait: fc.integer({ min: 0, max: 25_000 }), asks: fc.integer({ min: 0, max: 8 }) }), {
        maxLength: 40,
      });
      const sizes = fc.record({ size: fc.integer({ min: 1, max: 12 }), bucket: fc.integer({ min: 1, max: 12 }) });
      let scope = 0;
      await fc.assert(
        fc.asyncProperty(steps, sizes, async (all, { size, bucket }) => {
          scope += 1;
          const charge = plan(size, { size: bucket, perMinute: size, cost: 1 });
          let [start, used] = [-Infinity, 0];
          let parts = bucket * 60_000; // the model: one window and one bucket in whole numbers
          for (const { wait, asks } of all) {
            await clock.advance(wait);
            parts = Math.min(bucket * 60_000, parts + wait * size);
            for (let n = 0; n < asks; n += 1) {
              const open = clock.now() >= start + 60_000;
              const room = (open ? 0 : used) < size && parts >= 60_000;
              const result = await take(charge, `test.acct_p${scope}`);
              if (result.admitted !== room) return false;
              if (!room) continue;
              [start, used] = open ? [clock.now(), 1] : [start, used + 1];
              parts -= 60_000;
            }
          }
          return true;
        }),
        { numRuns: 60 },
      );
    });
  });
}
