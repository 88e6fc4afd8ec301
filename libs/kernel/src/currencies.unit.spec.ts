import { currencies, currencyDecimals } from './currencies.ts';

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
