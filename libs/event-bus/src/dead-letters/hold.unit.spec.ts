import { FakeClock } from '@svc/kernel';
import type { DeadLetter } from '../dead-letter.ts';
import { isHeld } from './hold.ts';

const HOLD_MS = 60_000;

test.each([
  ['is held until that time', -1, true],
  ['is free then', 0, false],
  ['is free where the clock of its process, which is gone, was an hour ahead', -3_600_000, false],
])('a dead letter %s', async (_what, passed, held) => {
  const clock = new FakeClock();
  const deadLetter = { held_until: clock.now() + HOLD_MS } as DeadLetter;
  await clock.advance(HOLD_MS + passed);
  expect(isHeld(deadLetter, clock)).toBe(held);
});
