import fc from 'fast-check';
import { currencies, currencyDecimals, decimal, ONE, percentOf, quotient, round, sum, toText, ZERO } from './decimal.ts';

/** A decimal of up to 18 digits as [unscaled, places]. */
const parts = fc.tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 6 }));
const textOf = ([unscaled, places]: [bigint, number]): string => {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(places + 1, '0');
  const [whole, part] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)];
  return `${unscaled < 0n ? '-' : ''}${whole}${places > 0 ? `.${part}` : ''}`;
};

describe('decimals', () => {
  test('products and sums are exact, beyond what doubles and 20 digits hold', () => {
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        const product = decimal(textOf(a)).times(decimal(textOf(b)));
        expect(product.eq(decimal(textOf([a[0] * b[0], a[1] + b[1]])))).toBe(true);
        const scale = Math.max(a[1], b[1]);
        const added = a[0] * 10n ** BigInt(scale - a[1]) + b[0] * 10n ** BigInt(scale - b[1]);
        expect(
          decimal(textOf(a))
            .plus(decimal(textOf(b)))
            .eq(decimal(textOf([added, scale]))),
        ).toBe(true);
      }),
    );
  });

  test('a float throws', () => {
    expect(() => decimal(0.1 as never).plus('1')).toThrow();
    expect(() => decimal('1').plus(0.1 as never)).toThrow();
    expect(() => decimal('1,5')).toThrow();
    expect(() => decimal('')).toThrow();
  });

  test.each(['', '-', '.5', '5.', '1.2.3', '1-2', ' 1', '+1', '0x1f', 'NaN', 'Infinity', '1e', '1e1.5', '1234567890123456x'])(
    '%j is no decimal',
    (text) => {
      expect(() => decimal(text)).toThrow(TypeError);
    },
  );

  test('in JSON and in a template it is its text; an operator throws', () => {
    const [one, other] = [decimal('5.50'), decimal('12345678901234567890')];
    expect(JSON.stringify([one, other])).toBe('["5.5","12345678901234567890"]');
    expect(`${one}`).toBe('5.5');
    expect(() => one < other).toThrow(TypeError);
  });

  test('a division by zero throws', () => {
    expect(() => quotient(ONE, ZERO, 2)).toThrow(RangeError);
  });

  test.each([
    ['0.125', 2, '0.13'],
    ['0.135', 2, '0.14'],
    ['-0.125', 2, '-0.13'],
    ['0.1249999999999999999', 2, '0.12'],
    ['2.5', 0, '3'],
    ['-2.5', 0, '-3'],
    ['1.005', 2, '1.01'],
    ['7', 2, '7'],
  ])('%s at %i decimals is %s: half away from zero', (value, places, expected) => {
    expect(toText(round(decimal(value), places))).toBe(expected);
  });

  test('per cent is exact', () => {
    expect(toText(percentOf(decimal('99.99'), decimal('22')))).toBe('21.9978');
    expect(toText(percentOf(decimal('1'), decimal('0.333333')))).toBe('0.00333333');
  });

  test('the sum of no values is 0', () => {
    expect(toText(sum(['0.1', '0.2', '-1'].map(decimal)))).toBe('-0.7');
    expect(sum([])).toEqual(ZERO);
  });

  test('text has no exponent and no trailing zeros, and parses to the same value', () => {
    expect(['1.50', '1000000000000000000000000', '0.0000000001', '-0.50', '10'].map((text) => toText(decimal(text)))).toEqual([
      '1.5',
      '1000000000000000000000000',
      '0.0000000001',
      '-0.5',
      '10',
    ]);
    fc.assert(
      fc.property(parts, (each) => {
        const text = toText(decimal(textOf(each)));
        expect(text).toMatch(/^-?\d+(\.\d*[1-9])?$/);
        expect(decimal(text).eq(decimal(textOf(each)))).toBe(true);
      }),
    );
  });
});

describe('currencies', () => {
  test.each([
    ['EUR', 2],
    ['ALL', 2],
    ['HUF', 2],
    ['COP', 2],
    ['JPY', 0],
    ['CLP', 0],
    ['KWD', 3],
    ['TND', 3],
    ['CLF', 4],
  ])('%s has %i decimals, as ISO 4217 says', (code, decimals) => {
    expect(currencyDecimals(code)).toBe(decimals);
  });

  test.each(['XYZ', 'eur', '', 'EU', 'HRK', 'toString'])('%j is not a currency', (code) => {
    expect(currencyDecimals(code)).toBeUndefined();
  });

  test('the list has every code once, in alphabetical order', () => {
    expect(currencies.length).toBeGreaterThan(150);
    expect([...new Set(currencies)].sort()).toEqual(currencies);
    expect(currencies.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true);
  });
});
