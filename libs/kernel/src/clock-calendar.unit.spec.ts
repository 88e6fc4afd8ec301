import fc from 'fast-check';
import { dayIn, isDay, isTimeZone, iso, plusDays, startOfDay } from './clock.ts';

const zones = [
  'UTC',
  'Europe/Tirane',
  'Europe/Madrid',
  'Pacific/Kiritimati',
  'Pacific/Niue',
  'Asia/Kathmandu',
  'America/Havana',
  'America/Santiago',
];
const moment = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2090, 0, 1) });

describe('calendar', () => {
  test('the cache of formats is bounded, although zone names can be written in any case', () => {
    const { DateTimeFormat } = Intl;
    let made = 0;
    Intl.DateTimeFormat = new Proxy(DateTimeFormat, { construct: (format, args) => ((made += 1), Reflect.construct(format, args)) });
    try {
      const letters = [...'antarctica/dumontdurville'];
      const names = Array.from({ length: 4_000 }, (_, n) => letters.map((one, at) => ((n >> at) & 1 ? one.toUpperCase() : one)).join(''));
      for (const name of names) expect(isTimeZone(name)).toBe(true);
      expect(isTimeZone(names.at(-1) ?? '')).toBe(true);
      expect(made).toBe(4_000);
      expect(isTimeZone(names[0] ?? '')).toBe(true);
      expect(made).toBe(4_001); // the first is forgotten
      for (const name of names) expect(dayIn(name, 0)).toBe('1970-01-01');
    } finally {
      Intl.DateTimeFormat = DateTimeFormat;
    }
  });

  test('the day depends on the time zone', () => {
    const at = Date.parse('2026-01-15T23:30:00Z');
    expect([dayIn('UTC', at), dayIn('Europe/Tirane', at), dayIn('America/Havana', at)]).toEqual(['2026-01-15', '2026-01-16', '2026-01-15']);
  });

  test.each(['2026-01-15', '2024-02-29', '2000-02-29', '2026-12-31', '0001-01-01'])('%s is a day', (text) => {
    expect(isDay(text)).toBe(true);
  });
  test.each([
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '26-1-1',
    '2026-01-15T00:00',
    '',
  ])('%j is none', (text) => {
    expect(isDay(text)).toBe(false);
  });

  test('adding days gives a valid day, and subtracting them gives the first one again', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: -5_000, max: 5_000 }), (at, days) => {
        const day = dayIn('UTC', at);
        expect(isDay(plusDays(day, days))).toBe(true);
        expect(plusDays(plusDays(day, days), -days)).toBe(day);
      }),
    );
    expect([plusDays('2024-02-28', 1), plusDays('2026-12-31', 1), plusDays('2026-03-01', -1)]).toEqual([
      '2024-02-29',
      '2027-01-01',
      '2026-02-28',
    ]);
  });

  test('a day starts at its first moment in the zone, also when daylight saving time begins or ends', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(...zones), (at, zone) => {
        const day = dayIn(zone, at);
        const start = startOfDay(zone, day);
        expect(start).toBeLessThanOrEqual(at);
        expect(dayIn(zone, start)).toBe(day);
        expect(dayIn(zone, start - 1) < day).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(iso(startOfDay('Europe/Tirane', '2026-01-15'))).toBe('2026-01-14T23:00:00.000Z');
    expect(iso(startOfDay('Europe/Tirane', '2026-07-15'))).toBe('2026-07-14T22:00:00.000Z');
    expect(iso(startOfDay('Pacific/Apia', '2011-12-30'))).toBe('2011-12-30T10:00:00.000Z'); // a day that Samoa omitted
  });

  test('knows time zones by their names', () => {
    expect(['Europe/Tirane', 'UTC', 'Mars/Base', ''].map(isTimeZone)).toEqual([true, true, false, false]);
  });

  test('an offset from UTC is no time zone: it has no summer time', () => {
    expect(['+02:00', '-0330', '+14'].map(isTimeZone)).toEqual([false, false, false]);
  });

  test('times are ISO 8601 in UTC with milliseconds', () => {
    expect(iso(Date.UTC(2026, 0, 15, 12, 0, 0, 7))).toBe('2026-01-15T12:00:00.007Z');
  });
});
