import { FakeClock } from '@svc/kernel';
import { Pace } from './pace.ts';

test('a client is behind by the waiting time beyond what its bytes allow; making a piece does not count', async () => {
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
