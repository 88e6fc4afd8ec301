import { dayIn, showDay, showRelative, showTime, showTimeIn } from './dates.ts';
import { isSame, isZero, negated, showBytes, showMoney, showPrice, showPriceIn } from './numbers.ts';

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

test.each([
  ['1234.5', 'EUR', 'EUR 1,234.50'],
  ['1234.5', 'ALL', 'ALL 1,234.50'],
  ['1200', 'JPY', 'JPY 1,200'],
  ['-0.125', 'KWD', '-KWD 0.125'],
  ['12345678901234567.89', 'EUR', 'EUR 12,345,678,901,234,567.89'],
])('%s %s has the decimals of ISO 4217: %s', (amount, currency, shown) => {
  expect(plain(showMoney(amount, currency))).toBe(shown);
});

test('a price is shown with all of its digits', () => {
  expect(showPrice('123456789012.12345678', 'EUR')).toBe('123,456,789,012.12345678');
});

test('a price stands with its currency and at least its decimals; with the number alone while that is not known', () => {
  const shown = [showPriceIn('3.5', 'EUR'), showPriceIn('10', 'EUR'), showPriceIn('1.005', 'EUR'), showPriceIn('10', 'JPY')].map(plain);
  expect(shown).toEqual(['EUR 3.50', 'EUR 10.00', 'EUR 1.005', 'JPY 10']);
  expect(showPriceIn('3.5', undefined)).toBe('3.5');
});

test('decimals are compared and negated as the texts that they are', () => {
  expect(['0', '0.00', '-0', '0.01', '10'].map(isZero)).toEqual([true, true, true, false, false]);
  expect(['1.50', '-1.50', '0.00'].map(negated)).toEqual(['-1.50', '1.50', '0.00']);
  expect([isSame('1.50', '1.5'), isSame('1.5', '1.51')]).toEqual([true, false]);
});

test('a day of the calendar is the same day in every time zone', () => {
  expect(showDay('2026-03-01')).toBe('Mar 1, 2026');
});

test('times are in the largest unit that fits', () => {
  const now = Date.parse('2026-11-28T12:00:00Z');
  expect(showRelative('2026-11-28T11:55:10Z', now)).toBe('4 minutes ago');
  expect(showRelative('2026-12-02T12:00:00Z', now)).toBe('in 4 days');
});

test('bytes are in the unit that keeps the number short', () => {
  expect([showBytes(999), showBytes(1_400_000_000)]).toEqual(['999 byte', '1.4 GB']);
});

test('the day is the one of the time zone, whatever the reader has', () => {
  const at = new Date('2026-11-30T23:30:00Z');
  expect(['America/New_York', 'UTC', 'Europe/Tirane', 'Pacific/Kiritimati'].map((zone) => dayIn(zone, at))).toEqual([
    ...['2026-11-30', '2026-11-30', '2026-12-01', '2026-12-01'],
  ]);
  expect(dayIn('Middle/Earth', at)).toMatch(/^2026-(11-30|12-01)$/);
});

test('a time is of the time zone that is asked for, whatever the reader has', () => {
  const at = '2026-11-30T23:30:00Z';
  expect(plain(showTimeIn('Europe/Madrid', at))).toBe('Dec 1, 2026, 12:30 AM');
  expect(plain(showTimeIn('America/New_York', at))).toBe('Nov 30, 2026, 6:30 PM');
  expect(showTimeIn('Middle/Earth', at)).toBe(showTime(at));
});
