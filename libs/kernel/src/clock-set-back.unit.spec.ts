import { isFresh, waitGoesOn } from './clock.ts';

test.each([
  ['goes on until its end', 1_000, true],
  ['goes on where the clock that wrote it is some seconds ahead', 14_000, true],
  ['goes on no longer', 500, false],
  ['is over where a clock that was set back has made it later than any wait', 3_600_000, false],
])('a wait %s', (_what, until, goesOn) => {
  expect(waitGoesOn(until, 500, 10_000)).toBe(goesOn);
});

test.each([
  ['is fresh', 1_000, 1_000, true],
  ['is fresh until its age', 1_000, 5_999, true],
  ['is old then', 1_000, 6_000, false],
  ['is old once the clock was set back', 1_000, 999, false],
])('what was read %s', (_what, at, now, fresh) => expect(isFresh(at, now, 5_000)).toBe(fresh));
