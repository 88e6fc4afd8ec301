import { mayTake, shareOf } from './turns.ts';

const LIMIT = 2_048;

/** Holders that each take all they may, in that order, and give nothing back. */
function grabbed(holders: number): number[] {
  const held: number[] = [];
  for (let n = 0; n < holders; n += 1) {
    const others = held.reduce((sum, its) => sum + its, 0);
    let own = 0;
    while (mayTake(own, others, LIMIT)) own += 1;
    held.push(own);
  }
  return held;
}

test('a single holder may take most of the limit and leaves some for others', () => {
  expect(grabbed(1)).toEqual([1_433]);
  expect(grabbed(3)).toEqual([1_433, 287, 57]);
});

test('each of 200 holders that arrive one after the other and release nothing gets a share', () => {
  const held = grabbed(200);
  expect(Math.min(...held)).toBeGreaterThanOrEqual(1);
  expect(held.reduce((sum, its) => sum + its, 0)).toBeLessThanOrEqual(LIMIT);
});

test.each([2, 5, 40, 300])('%i holders that release and take again converge to similar shares, none far below the even one', (holders) => {
  const held = grabbed(holders);
  for (let round = 0; round < 4_000; round += 1) {
    const richest = held.indexOf(Math.max(...held));
    held[richest] = (held[richest] as number) - 1;
    const poorest = held.indexOf(Math.min(...held));
    const others = held.reduce((sum, its) => sum + its, 0) - (held[poorest] as number);
    if (mayTake(held[poorest] as number, others, LIMIT)) held[poorest] = (held[poorest] as number) + 1;
  }
  expect(Math.max(...held) - Math.min(...held)).toBeLessThanOrEqual(2);
  expect(Math.min(...held)).toBeGreaterThanOrEqual(Math.floor((LIMIT / holders) * 0.75) - 1);
});

test('a limit of 1 goes to the first holder only', () => {
  expect([shareOf(1, 0), mayTake(0, 0, 1), mayTake(1, 0, 1), mayTake(0, 1, 1)]).toEqual([0, true, false, false]);
});
