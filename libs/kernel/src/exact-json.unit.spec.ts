import fc from 'fast-check';
import { isRawNumber, jsonNumber, numberText, parseExact, significantDigits } from './exact-json.ts';

const decimalText = fc
  .tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.integer({ min: 1, max: 6 }))
  .map(([whole, places]) => `${whole}.${'1'.repeat(places)}`);

describe('exact numbers in JSON', () => {
  test('prints a decimal text digit for digit', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        expect(JSON.stringify({ total: jsonNumber(text) })).toBe(`{"total":${text}}`);
      }),
    );
  });

  test('a number that a double holds exactly is a plain number', () => {
    expect([jsonNumber('12.30'), jsonNumber('0'), jsonNumber('-7.5'), jsonNumber('999999999999.99')]).toEqual([
      12.3, 0, -7.5, 999999999999.99,
    ]);
    expect(isRawNumber(jsonNumber('12.3'))).toBe(false);
    expect(isRawNumber(jsonNumber('12345678901234567.89'))).toBe(true);
  });

  test('parsing and printing changes no digit', () => {
    fc.assert(
      fc.property(fc.array(decimalText, { minLength: 1, maxLength: 5 }), fc.string(), (texts, note) => {
        const text = `{"a":[${texts.join(',')}],"note":${JSON.stringify(note)},"deep":{"b":${texts[0]}}}`;
        expect(JSON.stringify(parseExact(text))).toBe(text);
      }),
    );
  });

  test('parses everything else as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.object({ values: [fc.integer(), fc.string(), fc.boolean(), fc.constant(null)] }), fc.string(), (value, note) => {
        const text = JSON.stringify({ value, note, long: '12345678901234567890' });
        expect(parseExact(text)).toEqual(JSON.parse(text));
      }),
    );
    expect(() => parseExact('{"a":12345678901234567890')).toThrow(SyntaxError);
  });

  /** What V8 makes of it, one call of its reviver a value. */
  const byReviver = (text: string): unknown => {
    const parse = JSON.parse as (text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown) => unknown;
    return parse(text, (_key, value, { source }) =>
      typeof value === 'number' && source !== undefined && significantDigits(source) > 15 ? jsonNumber(source) : value,
    );
  };
  const outcomeOf = (parse: (text: string) => unknown, text: string): string => {
    try {
      return JSON.stringify(parse(text));
    } catch (error) {
      return (error as Error).name;
    }
  };
  const piece = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', ' ', '\n', '"a"', '"__proto__"', '"\\u0000a"', '"\\u0000123"', '"\\"12345678901234567"', '"\\\\"'],
    ...[
      '12345678901234567',
      '-0.12345678901234567',
      '1234567890123456.5e-7',
      '01234567890123456',
      '12345678901234567.',
      '1e12345678901234567',
    ],
    ...['0', '-', '+', '.', 'e', 'true', 'null', '"', '\\', '12345678901234567-12345678901234567'],
  );

  test('parses or rejects any text as JSON.parse does', () => {
    const pieces = fc.array(piece, { maxLength: 12 });
    // Each key once: behind a repeated one V8's reviver gets no source.
    const pairs = fc.uniqueArray(fc.tuple(piece, piece), { maxLength: 3, selector: ([key]) => key });
    const texts = fc.oneof(
      pieces.map((all) => all.join('')),
      fc.array(piece, { maxLength: 4 }).map((all) => `[${all.join(',')}]`),
      pairs.map((all) => `{${all.map(([key, value]) => `${key}:${value}`).join(' ,')}}`),
    );
    fc.assert(
      fc.property(texts, (text) => expect(outcomeOf(parseExact, text)).toBe(outcomeOf(byReviver, text))),
      { numRuns: 5_000 },
    );
  });

  test('parses values of any kind beside long numbers, also strings and keys that begin with NUL', () => {
    const leaf = fc.oneof(
      piece,
      fc.string(),
      fc.string().map((text) => `\0${text}`),
      fc.integer(),
      decimalText.map(jsonNumber),
    );
    // Without the key "\0": V8's JSON.parse itself takes it for the key "\\" of an object that it has parsed before, in any test of the process.
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('\0\0', '\u00001', '__proto__')), fc.array(leaf)), (value) => {
        const text = JSON.stringify({ value, long: jsonNumber('12345678901234567') });
        expect(JSON.stringify(parseExact(text))).toBe(text);
      }),
    );
    expect(Object.keys(parseExact('{"__proto__":12345678901234567}') as object)).toEqual(['__proto__']);
  });

  test('the error for invalid JSON has the position in the original text', () => {
    expect(() => parseExact('[12345678901234567 1]')).toThrow(/position 19/);
  });

  test('numberText returns the digits of a parsed number', () => {
    const { long, short, text } = parseExact('{"long":12345678901234567.89,"short":1.5,"text":"12345678901234567.89"}') as Record<
      string,
      unknown
    >;
    expect([numberText(long), numberText(short), text]).toEqual(['12345678901234567.89', '1.5', '12345678901234567.89']);
  });

  test.each([
    ['0', 0],
    ['0.00', 0],
    ['-12.30', 4],
    ['0.001', 1],
    ['1e21', 1],
    ['1.5E-7', 2],
    ['123456789012345678', 18],
  ])('%s has %i significant digits', (text, digits) => {
    expect(significantDigits(text)).toBe(digits);
  });
});
