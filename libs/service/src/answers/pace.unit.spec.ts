import { FakeClock } from '@svc/kernel';
import { Pace } from './pace.ts';

test('a reader is behind by the time for which it was waited longer than what it took allows; making does not count', async () => {
  const clock = new FakeClock();
  const pace = new Pace({ graceMs: 5_000, leastRate: 1_000 }, clock);
  await clock.advance(60_000);
  expect(pace.behindMs()).toBe(-5_000);
  pace.handed(2_000);
  await clock.advance(6_000);
  pace.asked();
  await clock.advance(60_000); // the server makes the next piece
  expect(pace.behindMs()).toBe(-1_000);
  pace.handed(500);
  await clock.advance(2_500);
  expect(pace.behindMs()).toBe(1_000);
});
