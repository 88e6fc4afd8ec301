import { CONTRACT_DELAYS, nextAttemptAt } from './schedule.ts';

const after = (made: number, retryAfter?: string): number | null => nextAttemptAt(made, 1000, CONTRACT_DELAYS, retryAfter);

test('returns the contract’s five delays, then null', () => {
  expect([1, 2, 3, 4, 5, 6].map((made) => after(made))).toEqual([61_000, 301_000, 1_801_000, 7_201_000, 86_401_000, null]);
});

test('lengthens a delay up to a day by Retry-After, never shortens it, and ignores an invalid one', () => {
  expect([after(1, '120'), after(1, '5'), after(1, '9999999'), after(1, 'soon'), after(1, 'Thu, 01 Jan 1970 00:02:00 GMT')]).toEqual([
    121_000, 61_000, 86_401_000, 61_000, 120_000,
  ]);
});
