import { waitGoesOn } from './wait.ts';

test.each([
  ['goes on until its end', 1_000, true],
  ['goes on where the clock that wrote it is some seconds ahead', 14_000, true],
  ['goes on no longer', 500, false],
  ['is over where a clock that was set back has made it later than any wait', 3_600_000, false],
])('a wait %s', (_what, until, goesOn) => {
  expect(waitGoesOn(until, 500, 10_000)).toBe(goesOn);
});
