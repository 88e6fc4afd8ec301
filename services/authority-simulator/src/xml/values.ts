import { isDay } from '@svc/kernel';
import type { Check } from './schema.ts';

/** Texts that the whole of a pattern matches. */
export const pattern = (source: string): Check => {
  const expression = new RegExp(`^(?:${source})$`);
  return (text) => text.length <= 1_000 && expression.test(text);
};
export const oneOf = (...values: string[]): Check => {
  const known = new Set(values);
  return (text) => known.has(text);
};
/** Texts of so many characters. */
export const text =
  (min: number, max: number): Check =>
  (value) => {
    const { length } = [...value.slice(0, 2 * max + 2)];
    return length >= min && length <= max;
  };
export const both =
  (...checks: Check[]): Check =>
  (value) =>
    checks.every((check) => check(value));

export const flag = oneOf('true', 'false', '1', '0');
/** A day that exists: `2026-03-01`. */
export const day: Check = isDay;
/** A time that exists, with its offset and without fractions: `2026-03-01T10:00:00+01:00`. */
export const time: Check = (value) =>
  /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d([+-](0\d|1[0-3]):[0-5]\d|[+-]14:00|Z)$/.test(value) && isDay(value.slice(0, 10));
/** A whole number above zero that the type `int` holds. */
export const positive: Check = (value) => /^\+?0*[1-9]\d{0,9}$/.test(value) && Number(value) < 2_147_483_648;
