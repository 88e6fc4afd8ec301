import { comesAfter } from './position.ts';

const ends = { '0': '7', '1': '0' };

test.each<[number, boolean]>([
  [6, false],
  [7, true],
  [8, true],
])('with an end of 7 the event at %i comes after it: %s', (at, after) => {
  expect(comesAfter(ends, { part: '0', at: BigInt(at) })).toBe(after);
});

test('of an empty part everything comes after', () => expect(comesAfter(ends, { part: '1', at: 0n })).toBe(true));

test.each([
  ['ends that nobody stored', undefined, { part: '0', at: 9n }],
  ['an event without a position', ends, undefined],
  ['a part that was not there', ends, { part: '2', at: 9n }],
  ['a part that was created anew and has not come as far', ends, { part: '0', at: 2n, end: 3n }],
])('positions do not tell of %s', (_what, known, position) => expect(comesAfter(known, position)).toBeUndefined());
