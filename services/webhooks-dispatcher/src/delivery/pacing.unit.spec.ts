import { FakeClock } from '@svc/kernel';
import { createPacing } from './pacing.ts';

/** The milliseconds at which webhooks begin that all wait from the beginning. */
async function begun(perSecond: number, count: number): Promise<number[]> {
  const clock = new FakeClock(0);
  const pacing = createPacing(clock);
  pacing.note('we_1', perSecond);
  const at: number[] = [];
  while (at.length < count) {
    const ms = pacing.waitMs('we_1');
    if (ms > 0) await clock.advance(ms);
    else at.push(pacing.begin('we_1') ? clock.now() : NaN);
  }
  return at;
}

test('an endpoint without a pace does not wait', () => {
  const pacing = createPacing(new FakeClock());
  expect([pacing.waitMs('we_1'), pacing.begin('we_1'), pacing.waitMs('we_1')]).toEqual([0, false, 0]);
  pacing.note('we_1', null);
  expect(pacing.begin('we_1')).toBe(false);
});

test.each([
  [1, 3, 1_950],
  [4, 13, 2_950],
  [1_000, 551, 500],
])('at %d a second, %d webhooks take %d ms', async (perSecond, count, ms) => {
  const at = await begun(perSecond, count);
  expect(at.at(-1)).toBe(ms);
});

test('a pace that is changed or removed holds from the next webhook on', async () => {
  const clock = new FakeClock(0);
  const pacing = createPacing(clock);
  pacing.note('we_1', 1);
  pacing.begin('we_1');
  expect(pacing.waitMs('we_1')).toBe(950);
  pacing.note('we_1', 100);
  await clock.advance(950);
  pacing.begin('we_1');
  expect(pacing.waitMs('we_1')).toBe(10);
  pacing.note('we_1', null);
  expect(pacing.waitMs('we_1')).toBe(0);
});
