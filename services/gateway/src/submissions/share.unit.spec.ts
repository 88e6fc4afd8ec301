import { nextAt, type Share, withOneMore, withPause } from './share.ts';

const END = 60_000;
const at = (now: number, left: number, share: Share, size = 10): number => nextAt({ left, resetAt: END }, size, share, now);
const own = (used: number): Share => ({ resetAt: END, used });

test('a job takes half of a window at once, and the other half when its time is half over without another submission', () => {
  expect(at(0, 10, own(0))).toBe(0);
  expect(at(1_000, 6, own(4))).toBe(1_000);
  expect(at(1_000, 5, own(5))).toBe(30_000);
  expect(at(30_000, 5, own(5))).toBe(30_000);
  expect(at(31_000, 0, own(10))).toBe(END);
});

test('half is all that it takes where others submit', () => {
  expect(at(31_000, 4, own(5))).toBe(END);
  expect(at(31_000, 5, own(4))).toBe(31_000);
  expect(at(1_000, 0, own(0))).toBe(END);
});

test('of a limit of one it takes that one; what it took of a window before counts for nothing', () => {
  expect(at(0, 1, own(0), 1)).toBe(0);
  expect(at(0, 10, { resetAt: END - 1, used: 9 })).toBe(0);
  expect(withOneMore({ resetAt: END - 1, used: 9 }, END)).toEqual(own(1));
  expect(withOneMore(own(1), END)).toEqual(own(2));
});

test('where a batch was refused that needs more than the half it leaves, it leaves the next minute to others', () => {
  const paused = withPause(own(5), { resetAt: END, refused: 6 }, 10);
  expect(at(END, 10, paused)).toBe(2 * END);
  expect(nextAt({ left: 10, resetAt: 3 * END }, 10, paused, 2 * END)).toBe(2 * END);
  expect(withPause(paused, { resetAt: END, refused: 6 }, 10)).toBe(paused);
  expect(withOneMore(paused, 3 * END)).toEqual({ resetAt: 3 * END, used: 1 });
  expect(withPause(own(1), { resetAt: END, refused: 1 }, 1)).toMatchObject({ pausedUntil: 2 * END });
});

test('a pause that was set by a clock that was ahead is over once it is set back', () => {
  const paused = withPause(own(5), { resetAt: END, refused: 6 }, 10);
  expect(nextAt({ left: 10, resetAt: END - 3_600_000 }, 10, paused, -3_600_000)).toBe(-3_600_000);
});

test('what fits into that half, or was refused in a window that it took nothing of, is no reason', () => {
  expect(withPause(own(5), { resetAt: END, refused: 5 }, 10)).toEqual(own(5));
  expect(withPause(own(5), { resetAt: END }, 10)).toEqual(own(5));
  expect(withPause({ resetAt: END - 1, used: 5 }, { resetAt: END, refused: 10 }, 10).pausedUntil).toBeUndefined();
});
