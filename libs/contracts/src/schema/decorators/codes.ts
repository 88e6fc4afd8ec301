import { currencyDecimals, isTimeZone, type Prefix } from '@svc/kernel';
import { isCountry } from './countries.ts';
import { rule } from './rule.ts';
import { Matches } from './text.ts';

const known = (format: string, max: number, holds: (text: string) => boolean, message: string): PropertyDecorator =>
  rule({
    name: format,
    schema: () => ({ type: 'string', maxLength: max, format }),
    holds: (value) => typeof value === 'string' && value.length <= max && holds(value),
    message,
  });

export const isCurrency = (code: string): boolean => currencyDecimals(code) !== undefined;

export const IsCurrency = (): PropertyDecorator =>
  known('currency', 3, isCurrency, 'Send an ISO 4217 currency code in capitals, such as EUR.');
export const IsCountry = (): PropertyDecorator =>
  known('country', 2, isCountry, 'Send an ISO 3166-1 country code of two capitals, such as ES.');
export const IsTimeZone = (): PropertyDecorator => known('time-zone', 64, isTimeZone, 'Send an IANA time zone such as Europe/Madrid.');

/** A public id: prefix, `_`, 26 characters. */
export const IsPrefixedId = (prefix: Prefix): PropertyDecorator =>
  Matches(
    `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
    prefix.length + 27,
    `Send an id that begins with ${prefix}_ and has 26 characters after it.`,
  );
