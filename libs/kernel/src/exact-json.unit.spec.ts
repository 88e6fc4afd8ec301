import fc from 'fast-check';
import { isRawNumber, jsonNumber, numberText, parseExact, significantDigits } from './exact-json.ts';

const decimalText = fc
  .tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.integer({ min: 1, max: 6 }))
  .map(([whole, places]) => `${whole}.${'1'.repeat(places)}`);

describe('exact numbers in JSON', () => {
  test('a decimal text is printed digit for digit', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        expect(JSON.stringify({ total: jsonNumber(text) })).toBe(`{"total":${text}}`);
      }),
    );
  });

  test('what a double holds is a plain number', () => {
    expect([jsonNumber('12.30'), jsonNumber('0'), jsonNumber('-7.5'), jsonNumber('999999999999.99')]).toEqual([
      12.3, 0, -7.5, 999999999999.99,
    ]);
    expect(isRawNumber(jsonNumber('12.3'))).toBe(false);
    expect(isRawNumber(jsonNumber('12345678901234567.89'))).toBe(true);
  });

  test('reading and printing again changes no digit', () => {
    fc.assert(
      fc.property(fc.array(decimalText, { minLength: 1, maxLength: 5 }), fc.string(), (texts, note) => {
        const text = `{"a":[${texts.join(',')}],"note":${JSON.stringify(note)},"deep":{"b":${texts[0]}}}`;
        expect(JSON.stringify(parseExact(text))).toBe(text);
      }),
    );
  });

  test('reads everything else as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.object({ values: [fc.integer(), fc.string(), fc.boolean(), fc.constant(null)] }), fc.string(), (value, note) => {
        const text = JSON.stringify({ value, note, long: '12345678901234567890' });
        expect(parseExact(text)).toEqual(JSON.parse(text));
      }),
    );
    expect(() => parseExact('{"a":12345678901234567890')).toThrow(SyntaxError);
  });

  test('the digits of a number that was read', () => {
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
