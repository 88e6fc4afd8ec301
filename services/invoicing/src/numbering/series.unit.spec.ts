import { DomainError } from '@svc/kernel';
import { defaultIssuer } from '../issuer/issuers.ts';
import type { SeriesSettings } from './domain/settings.ts';
import { formatNumber } from './domain/format.ts';
import { seriesOf, seriesStream, type SeriesWanted } from './series.ts';

const account = 'acct_01jh2k3m4n5p6q7r8s9t0v1w2x';
const parts = { series: 'INV', year: '2026', unit: 'U1', device: 'D1', seq: 41 };

test.each([
  ['{series}-{year}-{seq:6}', 'INV-2026-000041'],
  ['{seq}/{year}', '41/2026'],
  ['{seq}/{year}/{device}', '41/2026/D1'],
  ['{series}/{unit}/{seq:2}', 'INV/U1/41'],
  ['F{seq:1}', 'F41'],
])('%s reads %s', (format, number) => expect(formatNumber(format, parts)).toBe(number));

const issuerWith = (settings: Partial<SeriesSettings>) => {
  const issuer = defaultIssuer(account, 'test');
  return { ...issuer, series: { ...issuer.series, standard: { ...issuer.series.standard, ...settings } } };
};
const wanted: SeriesWanted = { account, env: 'test', kind: 'standard', code: 'INV', unit: null, device: null };
const streamOf = (settings: Partial<SeriesSettings>, over: Partial<SeriesWanted> = {}): string =>
  seriesStream(seriesOf(issuerWith(settings), { ...wanted, ...over }), '2026').replace(`series-test.${account}.`, '');
const wrong = (settings: Partial<SeriesSettings>, over: Partial<SeriesWanted> = {}): string[] => {
  try {
    seriesOf(issuerWith(settings), { ...wanted, ...over });
  } catch (error) {
    if (error instanceof DomainError) return Object.keys(error.details ?? {});
    throw error;
  }
  return [];
};

describe('a series', () => {
  test('has one stream for each combination of what its numbers are counted by', () => {
    const place = { unit: 'U1', device: 'D1' };
    expect(streamOf({}, place)).toBe('INV.2026');
    expect(streamOf({ format: '{series}/{seq}' }, place)).toBe('INV');
    expect(streamOf({ format: '{series}{unit}{seq}' }, place)).toBe('INV.U1');
    expect(streamOf({ format: '{seq}/{year}/{device}' }, place)).toBe('INV.U1.D1.2026');
  });

  test('no two share a stream: dots and slashes in a code are escaped', () => {
    const format = '{series}{device}{seq}';
    const places = [
      { unit: 'a.b', device: 'c' },
      { unit: 'a', device: 'b.c' },
      { unit: 'a%2e%b', device: 'c' },
      { unit: 'a/b', device: 'c' },
    ];
    expect(new Set(places.map((place) => streamOf({ format }, place))).size).toBe(places.length);
  });

  test('with issuer settings uses these; any other uses the format of its kind and starts at 1', () => {
    const issuer = issuerWith({ code: 'ACME', format: '{series}/{year}/{seq}', start: 41 });
    expect(seriesOf(issuer, { ...wanted, code: 'ACME' })).toMatchObject({ start: 41, format: '{series}/{year}/{seq}' });
    expect(seriesOf(issuer, { ...wanted, code: 'SHOP7' })).toMatchObject({ start: 1, format: '{series}/{year}/{seq}' });
    expect(seriesOf(issuer, { ...wanted, code: 'RCP' })).toMatchObject({ start: 1, format: '{series}-{year}-{seq:6}' });
  });

  test('is rejected where it could repeat the numbers of another, or where the document lacks what its format needs', () => {
    expect(wrong({ format: '{seq}/{year}' }, { code: 'SHOP7' })).toEqual(['series']);
    expect(() => streamOf({ format: '{seq}/{year}' }, { code: 'SHOP7' })).toThrow(
      expect.objectContaining({ details: { series: [expect.stringContaining('name one of them')] } }),
    );
    expect(wrong({ format: '{unit}/{seq}' })).toEqual(['unit']);
    expect(wrong({ format: '{device}/{seq}' }, { unit: 'U1' })).toEqual(['device']);
    expect(wrong({ format: '{seq}/{year}' })).toEqual([]);
  });
});
