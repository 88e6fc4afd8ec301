import { dayIn, DomainError } from '@svc/kernel';
import { createLogger } from '@svc/service';
import fc from 'fast-check';
import { register } from 'prom-client';
import { numberAfter, type NumberTaken } from '../numbering/domain/numbering.ts';
import { createClockCheck, type ClockCheck } from './clock-check.ts';
import { witness, wrongClock } from './testing/clocks.ts';
import type { Witness } from './witnesses.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const logger = createLogger({ level: 'silent', service: 'invoicing' });

const checkOf = ({ clock, monotonic }: ReturnType<typeof wrongClock>, ...witnesses: Witness[]): ClockCheck =>
  createClockCheck({ witnesses, clock, monotonic, logger });
const refusal = (check: ClockCheck): Promise<unknown> =>
  check.check().then(
    () => undefined,
    (error: unknown) => error,
  );
const ahead = expect.objectContaining({ code: 'service_unavailable', message: expect.stringContaining('minutes ahead') });
const gauges = async (): Promise<string> =>
  (await Promise.all(['svc_clock_skew_seconds', 'svc_clock_unconfirmed'].map((name) => register.getSingleMetricAsString(name))))
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.startsWith('svc_clock'))
    .join('\n');

test.each([
  ['right', 0, undefined],
  ['nine minutes ahead', 9 * MINUTE_MS, undefined],
  ['eleven minutes ahead', 11 * MINUTE_MS, ahead],
  ['twenty days ahead', 20 * DAY_MS, ahead],
  ['twenty days behind', -20 * DAY_MS, undefined],
])('a clock that is %s at the start', async (_what, ms, expected) => {
  const machine = wrongClock();
  machine.set(ms);
  const check = checkOf(machine, witness('mongodb', machine.truth));
  expect(await refusal(check)).toEqual(expected);
  expect(await gauges()).toBe(`svc_clock_skew_seconds{witness="mongodb"} ${ms / 1000}\nsvc_clock_unconfirmed 0`);
});

test('a clock that is set while it is in use is found with the next number, also one that is set right again', async () => {
  const machine = wrongClock();
  const check = checkOf(machine, witness('mongodb', machine.truth));
  expect(await refusal(check)).toBeUndefined();
  machine.set(20 * DAY_MS);
  expect(await refusal(check)).toEqual(ahead);
  machine.set(0);
  expect(await refusal(check)).toBeUndefined();
});

test('one witness that confirms the clock is enough; two that do not are not outvoted by one that does not answer', async () => {
  const machine = wrongClock();
  machine.set(HOUR_MS);
  const [right, fast] = [witness('mongodb', machine.truth), witness('authority', machine.truth, HOUR_MS)];
  expect(await refusal(checkOf(machine, right, fast))).toBeUndefined();
  fast.answers = false;
  expect(await refusal(checkOf(machine, right, fast))).toEqual(ahead);
});

test('where no witness answers, numbers are given, and the metric says that nothing confirms the clock; it is asked again after half a minute', async () => {
  const machine = wrongClock();
  machine.set(HOUR_MS);
  const one = witness('mongodb', machine.truth);
  one.answers = false;
  const check = checkOf(machine, one);
  expect(await refusal(check)).toBeUndefined();
  expect(await gauges()).toBe('svc_clock_unconfirmed 1');
  one.answers = true;
  expect([await refusal(check), one.asked]).toEqual([undefined, 1]);
  await machine.truth.advance(30_000);
  expect(await refusal(check)).toEqual(ahead);
});

test('a witness that has not answered for an hour says nothing any more', async () => {
  const machine = wrongClock();
  const one = witness('mongodb', machine.truth);
  const check = checkOf(machine, one);
  await refusal(check);
  one.answers = false;
  await machine.truth.advance(HOUR_MS + 1);
  expect(await refusal(check)).toBeUndefined();
  expect(await gauges()).toContain('svc_clock_unconfirmed 1');
});

test('witnesses are asked at the start and hourly, once for requests that come together', async () => {
  const machine = wrongClock();
  const one = witness('mongodb', machine.truth);
  const check = checkOf(machine, one);
  await Promise.all([check.check(), check.check(), check.check()]);
  await machine.truth.advance(HOUR_MS - 1);
  await check.check();
  expect(one.asked).toBe(1);
  await machine.truth.advance(1);
  await check.check();
  expect(one.asked).toBe(2);
});

test('a machine that slept gives numbers: the jump only makes the witnesses be asked', async () => {
  const machine = wrongClock();
  const one = witness('mongodb', machine.truth);
  const check = checkOf(machine, one);
  await check.check();
  await machine.sleep(3 * DAY_MS);
  expect([await refusal(check), one.asked]).toEqual([undefined, 2]);
});

test('a witness that does not answer in time delays a number by two seconds at most', async () => {
  const machine = wrongClock();
  const check = checkOf(machine, { name: 'mongodb', time: () => new Promise(() => undefined) });
  let done = false;
  void check.check().then(() => (done = true));
  await machine.truth.advance(1_999);
  expect(done).toBe(false);
  await machine.truth.advance(1);
  expect(done).toBe(true);
});

test('the newest stored number and event show a clock that is behind, and none that is ahead', async () => {
  const machine = wrongClock();
  const check = checkOf(machine);
  check.saw('newest number', machine.clock.now() - DAY_MS);
  expect(await gauges()).toContain('svc_clock_skew_seconds{witness="newest number"} 0');
  check.saw('newest number', machine.clock.now() + HOUR_MS);
  expect(await gauges()).toContain('svc_clock_skew_seconds{witness="newest number"} -3600');
  check.saw('newest event', machine.clock.now() + MINUTE_MS);
  expect(await gauges()).toContain('svc_clock_skew_seconds{witness="newest event"} -60');
  expect(await refusal(check)).toBeUndefined();
});

test('with jumps both ways beside one true witness no issue date is beyond the true day, and no number is before its predecessor', async () => {
  const minutes = (most: number) => fc.integer({ min: -most, max: most });
  const step = fc.oneof(
    fc.record({ set: minutes(60 * 24 * 40) }),
    fc.record({ set: fc.constantFrom(0, 8, 12, -12) }),
    fc.record({ pass: fc.integer({ min: 0, max: 60 * 26 }) }),
    fc.record({ sleep: fc.integer({ min: 0, max: 60 * 26 }) }),
    fc.constant({}),
  );
  const base = { stream: 's', seen: 'none', series: 'INV', format: '{series}-{seq}', year: null, unit: null, device: null };
  const numbering = { ...base, first: 1, issue_date: null, time_zone: 'UTC' };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const machine = wrongClock();
      const check = checkOf(machine, witness('mongodb', machine.truth));
      let last: NumberTaken | undefined;
      for (const one of steps as { set?: number; pass?: number; sleep?: number }[]) {
        if (one.set !== undefined) machine.set(one.set * MINUTE_MS);
        if (one.pass !== undefined) await machine.truth.advance(one.pass * MINUTE_MS, async () => undefined);
        if (one.sleep !== undefined) await machine.sleep(one.sleep * MINUTE_MS);
        if ((await refusal(check)) !== undefined) continue;
        const taken = numberAfter(last, numbering, 'inv_1', machine.clock.now());
        if (taken instanceof DomainError) throw taken;
        // A clock that is ahead by up to ten minutes dates documents: at midnight that is the true day ten minutes later.
        expect(taken.issue_date <= dayIn('UTC', machine.truth.now() + 10 * MINUTE_MS)).toBe(true);
        expect(taken.issued_at >= (last?.issued_at ?? '')).toBe(true);
        expect(taken.issue_date >= (last?.issue_date ?? '')).toBe(true);
        last = taken;
      }
    }),
    { numRuns: 200 },
  );
});
