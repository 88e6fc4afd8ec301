import fc from 'fast-check';
import { formatNumber, patternOf, shapeOf } from './format.ts';

const parts = { series: 'INV', year: '2026', unit: 'U1', device: 'D1' };

test.each([
  ['{series}-{year}-{seq:6}', 'INV-2026-{seq}'],
  ['{seq}/{year}', '{seq}/2026'],
  ['{series}/{unit}/{device}/{seq:2}', 'INV/U1/D1/{seq}'],
  ['{seq}-{seq:3}', '{seq}-{seq}'],
])('the pattern of %s is %s', (format, pattern) => expect(patternOf(format, parts)).toBe(pattern));

test('patterns that can write the same number have one shape and count at different places in it', () => {
  expect([shapeOf('{seq}/2026'), shapeOf('2026/{seq}')]).toEqual([
    { shape: '#/#', places: '0' },
    { shape: '#/#', places: '2' },
  ]);
  expect(shapeOf('INV-{seq}')).toBeUndefined();
  expect(shapeOf('{seq}-{seq}')).toEqual({ shape: '#-#', places: '0 2' });
});

/** As the contract wants it (`IsSeriesFormat`): the count stands between two of `/ - . _`, or at an end. */
const isDivided = (text: string): boolean =>
  text.split(/[/._-]/).every((part) => !part.includes('{seq') || /^\{seq(?::\d+)?\}$/.test(part));
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
const writer = fc.record({
  format,
  series: fc.constantFrom('A', 'A1', '1', '2'),
  year: fc.constantFrom('1', '2'),
  unit: word,
  device: word,
});

test('two patterns write the same text only where they count at different places of one shape', () => {
  const seq = fc.integer({ min: 1, max: 12 });
  let met = 0;
  fc.assert(
    fc.property(writer, writer, seq, seq, (a, b, first, second) => {
      const [one, other] = [patternOf(a.format, a), patternOf(b.format, b)];
      if (formatNumber(a.format, { ...a, seq: first }) !== formatNumber(b.format, { ...b, seq: second })) return;
      met += 1;
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
