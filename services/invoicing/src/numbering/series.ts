import type { SeriesKind } from '@svc/contracts/issuer/series';
import { invalid, type Env, streamOf } from '@svc/kernel';
import type { NumberSettings } from './domain/settings.ts';
import { countsByDevice, countsByUnit, formatNumber, restartsYearly } from './domain/format.ts';

/** The series that a document takes its number from. */
export interface Series {
  account: string;
  env: Env;
  code: string;
  format: string;
  /** The very first number. */
  start: number;
  /** Where the format counts by them, else null. */
  unit: string | null;
  device: string | null;
}

export interface SeriesWanted {
  account: string;
  env: Env;
  kind: SeriesKind;
  code: string;
  /** Of the document. */
  unit: string | null;
  device: string | null;
}

/** Of a number as documents show it. */
const MOST_LETTERS = 255;
const HIGHEST = { year: '9999', seq: Number.MAX_SAFE_INTEGER };

/**
 * The series `code` of an issuer. One with issuer settings uses these; any other has the format of its kind and starts
 * at 1. Throws validation_error where the document lacks what the format needs, two series could write the same numbers, or a number is too long.
 */
export function seriesOf(issuer: Pick<NumberSettings, 'series'>, { account, env, kind, code, unit, device }: SeriesWanted): Series {
  const own =
    issuer.series[kind].code === code ? issuer.series[kind] : Object.values(issuer.series).find((settings) => settings.code === code);
  const { format } = own ?? issuer.series[kind];
  const [byUnit, byDevice] = [countsByUnit(format), countsByDevice(format)];
  if (!own && !format.includes('{series}')) {
    throw invalid({
      series: [`is not one of the issuer's, and its format ${format} would give it the numbers of others: add {series} to it.`],
    });
  }
  if (byUnit && unit === null) throw invalid({ unit: [`is needed by the number format ${format}: add one to the issuer's units.`] });
  if (byDevice && device === null) throw invalid({ device: [`is needed by the number format ${format}: add one to the unit's devices.`] });
  const { length } = formatNumber(format, { series: code, unit, device, ...HIGHEST });
  if (length > MOST_LETTERS) {
    throw invalid({
      series: [`would have numbers of up to ${length} characters; at most ${MOST_LETTERS}: shorten its format or the codes in it.`],
    });
  }
  return { account, env, code, format, start: own?.start ?? 1, unit: byUnit ? unit : null, device: byDevice ? device : null };
}

/** `series-live.acct_01….INV.2026`; with business unit and till before the year where the format counts by them. */
export function seriesStream({ account, env, code, format, unit, device }: Series, year: string): string {
  const parts = [code, unit, device, restartsYearly(format) ? year : null];
  return streamOf('series', env, account, parts.flatMap((part) => (part === null ? [] : [escaped(part)])).join('.'));
}

/** Letters, digits, `_` and `-` unchanged, all others by code point: a `.` within a part would end it. */
const escaped = (part: string): string => part.replace(/[^\w-]/gu, (letter) => `%${letter.codePointAt(0)?.toString(16)}%`);
