import { asOf, comesAfter, needsEnds } from './position.ts';

const ends = { '0': '7', '1': '0' };

test.each<[number, boolean]>([
  [6, false],
  [7, true],
  [8, true],
])('with an end of 7 the event at %i comes after it: %s', (at, after) => {
  expect(comesAfter(ends, { part: '0', at: BigInt(at) })).toBe(after);
});

test('every event of a part that was empty comes after it', () => expect(comesAfter(ends, { part: '1', at: 0n })).toBe(true));

test.each([
  ['unknown ends', undefined, { part: '0', at: 9n }],
  ['an event without a position', ends, undefined],
  ['a part that is not among the ends', ends, { part: '2', at: 9n }],
  ['a recreated part that is shorter than before', ends, { part: '0', at: 2n, end: 3n }],
  ['an event from before its part was recreated', { '0': '1' }, { part: '0', at: 9n, end: 3n }],
])('positions do not decide for %s', (_what, known, position) => expect(comesAfter(known, position)).toBeUndefined());

test.each<[string, Parameters<typeof comesAfter>[1], boolean]>([
  ['was read when the part had reached the ends', { part: '0', at: 3n, end: 7n }, false],
  ['was read before', { part: '0', at: 3n, end: 6n }, true],
  ['was stored without an end', { part: '0', at: 3n }, true],
  ['is of a part that is not among the ends', { part: '2', at: 3n }, false],
  ['has no position', undefined, false],
])('an event that %s: whether the current ends are needed is %s', (_what, position, isNeeded) => {
  expect(needsEnds(ends, position)).toBe(isNeeded);
});

test('an event read before the ends comes before them, once the part is known to continue', () => {
  const lagging = { part: '0', at: 3n, end: 6n };
  expect(comesAfter(ends, asOf({ '0': '7' }, lagging))).toBe(false);
  expect(comesAfter(ends, asOf({ '0': '2' }, lagging))).toBeUndefined();
  expect(asOf({ '1': '7' }, lagging)).toEqual(lagging);
  expect(asOf({ '0': '7' }, undefined)).toBeUndefined();
});
