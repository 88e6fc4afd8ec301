import fc from 'fast-check';
import { ANY_CODE, codesIn, couldMeet, formatNumber, isDivided, isDividedAs, isWrittenBy, patternOf, shapeOf } from './format.ts';

const parts = { series: 'INV', year: '2026', unit: 'U1', device: 'D1' };

test.each([
  ['{series}-{year}-{seq:6}', 'INV-2026-{seq}'],
  ['{seq}/{year}', '{seq}/2026'],
  ['{series}/{unit}/{device}/{seq:2}', 'INV/U1/D1/{seq}'],
  ['{seq}-{seq:3}', '{seq}-{seq}'],
])('the pattern of %s is %s', (format, pattern) => expect(patternOf(format, parts)).toBe(pattern));

test.each([
  ['{seq}', true],
  ['{series}-{seq:6}', true],
  ['{seq}/{year}/{device}', true],
  ['F_{seq}.{seq}', true],
  ['{series}{seq}', false],
  ['{seq}{year}', false],
  ['F{seq}', false],
  ['{seq:6}A', false],
  ['{seq}{seq}', false],
  ['{seq}-{seq}1', false],
])('%s: the count is separated from its neighbours: %s', (format, divided) => expect(isDivided(format)).toBe(divided));

test('patterns that can write the same number have one shape and count at different places in it', () => {
  expect([shapeOf('{seq}/2026'), shapeOf('2026/{seq}')]).toEqual([
    { shape: '#/#', places: '0' },
    { shape: '#/#', places: '2' },
  ]);
  expect(shapeOf('INV-{seq}')).toBeUndefined();
  expect(shapeOf('{seq}-{seq}')).toEqual({ shape: '#-#', places: '0 2' });
});

/** Few letters and digits, so that collisions are likely. */
const format = fc
  .array(fc.constantFrom('{seq}', '{seq:2}', '{series}', '{year}', '{unit}', '{device}', '1', '2', 'A'), { minLength: 1, maxLength: 3 })
  .chain((words) =>
    fc.array(fc.constantFrom('-', '/', ''), { minLength: words.length, maxLength: words.length }).map((dividers) => {
      return words.map((word, n) => (n === 0 ? word : `${dividers[n]}${word}`)).join('');
    }),
  )
  .filter((text) => text.includes('{seq') && isDivided(text));
const word = fc.constantFrom('1', '2', 'A', 'A1', '1-2', '1/A', '#');
const writerParts = {
  series: fc.constantFrom('A', 'A1', '1', '2'),
  year: fc.constantFrom('1', '2'),
  unit: word,
  device: word,
};
const writer = fc.record({ format, ...writerParts });

test('a number matches the pattern that wrote it', () => {
  const number = (text: string) => ['{seq}/2026', '2026/{seq}', 'INV-2026-{seq}'].filter((pattern) => isWrittenBy(pattern, text));
  expect(number('000007/2026')).toEqual(['{seq}/2026']);
  expect(number('2026/2026')).toEqual(['{seq}/2026', '2026/{seq}']);
  expect(number('INV-2026-1A')).toEqual([]);
  expect(number('INV-2026-')).toEqual([]);
});

test('two patterns write the same text only where they count at different places of one shape', () => {
  const seq = fc.integer({ min: 1, max: 12 });
  let met = 0;
  fc.assert(
    fc.property(writer, writer, seq, seq, (a, b, first, second) => {
      const [one, other] = [patternOf(a.format, a), patternOf(b.format, b)];
      if (formatNumber(a.format, { ...a, seq: first }) !== formatNumber(b.format, { ...b, seq: second })) return;
      met += 1;
      expect(isWrittenBy(one, formatNumber(b.format, { ...b, seq: second }))).toBe(true);
      if (one === other) expect(first).toBe(second);
      else {
        expect(shapeOf(one)?.shape).toBe(shapeOf(other)?.shape);
        expect(shapeOf(one)?.places).not.toBe(shapeOf(other)?.places);
      }
    }),
    { numRuns: 20_000 },
  );
  expect(met).toBeGreaterThan(10);
});

/** Formats of an earlier release included, where the count may touch its neighbours. */
const anyFormat = fc
  .array(fc.constantFrom('{seq}', '{series}', '{year}', '{unit}', '1', '2', 'A', '-', '/'), { minLength: 1, maxLength: 5 })
  .map((words) => words.join(''))
  .filter((text) => text.includes('{seq'));

test('finds the pattern, with any code, of every number of another format that reads as a number of this pattern', () => {
  const seq = fc.integer({ min: 1, max: 12 });
  let met = 0;
  fc.assert(
    fc.property(writer, fc.record({ ...writerParts, format: anyFormat }), seq, (a, b, n) => {
      const [pattern, number] = [patternOf(a.format, a), formatNumber(b.format, { ...b, seq: n })];
      if (!isWrittenBy(pattern, number)) return;
      met += 1;
      expect(couldMeet(pattern, patternOf(b.format, b))).toBe(true);
      expect(isDividedAs(pattern, b.format)).toBe(true);
      const open = patternOf(b.format, { ...b, series: ANY_CODE });
      expect(couldMeet(pattern, open)).toBe(true);
      const codes = b.format.includes('{series}') ? codesIn(pattern, open) : undefined;
      if (codes) expect(codes).toContain(b.series);
    }),
    { numRuns: 20_000 },
  );
  expect(met).toBeGreaterThan(10);
});

test.each([
  ['counts only', '{seq}'.repeat(9)],
  ['counts between digits', '{seq}1'.repeat(8)],
  ['counts and codes', `{seq}${ANY_CODE}`.repeat(12)],
  ['codes only', ANY_CODE.repeat(60)],
])('matching a part of %s against the longest text that nearly matches takes linear time', (_, part) => {
  const text = '1'.repeat(400);
  expect(couldMeet(`${text}a/{seq}`, `${part}/{seq}`)).toBe(false);
  expect(couldMeet(`${text}/{seq}`, `${part}/{seq}`)).toBe(true);
  expect(codesIn(`${text}a/{seq}`, `${part}/{seq}`)?.every((code) => /^1{1,12}$/.test(code)) ?? true).toBe(true);
});

test('finds the code at its place in the pattern', () => {
  const codes = (pattern: string, format: string) => codesIn(pattern, patternOf(format, { ...parts, series: ANY_CODE }));
  expect(codes('AB1-{seq}', '{series}-{seq}')).toEqual(['A', 'AB', 'AB1']);
  expect(codes('FAB-{seq}', 'F{series}-{seq}')).toEqual(['A', 'AB']);
  expect(codes('{seq}-{seq}', '{series}-{seq}')).toBeUndefined();
  expect(codes('1AB-{seq}', '{seq}{series}-{seq}')).toEqual(['A', 'AB']);
});
