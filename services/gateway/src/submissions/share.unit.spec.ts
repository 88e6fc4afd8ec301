import { nextAt, type Share, withOneMore } from './share.ts';

const END = 60_000;
const at = (now: number, left: number, share: Share, size = 10): number => nextAt({ left, resetAt: END }, size, share, now);
const own = (used: number): Share => ({ resetAt: END, used });

test('a job takes half of a window at once, and the other half when its time is half over and nobody else came', () => {
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
