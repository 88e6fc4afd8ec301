import { readDecimal, showUnclear } from './decimals.ts';

test.each([
  ['3,50', '3.50'],
  ['3.50', '3.50'],
  [' -3,5 ', '-3.5'],
  ['−3,5', '-3.5'],
  [',5', '0.5'],
  ['3,', '3'],
  ['1.234', '1.234'],
  ['1,234', '1.234'],
  ['1.234,50', '1234.50'],
  ['1,234.50', '1234.50'],
  ['1 234,50', '1234.50'],
  ['1\u202f234,50 €', '1234.50'],
  ["1'234.50", '1234.50'],
  ['EUR 1.234.567', '1234567'],
  ['-EUR 1,234,567.5', '-1234567.5'],
  ['12345678901.12345678', '12345678901.12345678'],
  ['', ''],
])('%j is read as %j', (typed, read) => expect(readDecimal(typed)).toBe(read));

test.each(['a lot', 'EUR', '1e5', '1.2.3', '1,23,4', '3 50', '1.234.56', '1,234,56.7', '12 %', '.', '--1'])(
  '%j is no number, and stays',
  (typed) => expect(readDecimal(typed)).toBe(typed),
);

test.each(['1.234', '1,234', '-12.500', '€ 1,234'])('%s may be meant as thousands: how it is taken is said', (typed) =>
  expect(showUnclear(typed)).toContain('three decimals'),
);

test.each(['1.23', '1.2345', '0,125', '1234.567', '1.234,50', '1.234.567', '1234', 'a lot', ''])('%j can be meant in one way', (typed) =>
  expect(showUnclear(typed)).toBeUndefined(),
);
