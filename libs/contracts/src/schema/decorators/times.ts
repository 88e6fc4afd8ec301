import { isDay, iso, millisOf, plusDays } from '@svc/kernel';
import { rule } from './rule.ts';

/** True for a timestamp as this service writes it, UTC with at most 3 decimals: `2026-03-01T12:00:00Z`, `2026-03-01T12:00:00.250Z`. */
export const isTimestamp = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/.test(text) && isDay(text.slice(0, 10));

const LONGEST = 64;
/** `date-time` of RFC 3339, section 5.6, with any number of decimals. */
const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * The form in which timestamps are stored and compared, `YYYY-MM-DDTHH:mm:ss.sssZ`, of any timestamp by RFC 3339: decimals beyond milliseconds
 * are cut, the end of the minute stands for a leap second. undefined for any other text, and for a moment outside the years 0001 to 9999 in UTC.
 */
export function canonicalTimestamp(text: string): string | undefined {
  const [, day = '', minute, second, decimals = '', sign, hours, minutes] = (text.length <= LONGEST && RFC_3339.exec(text)) || [];
  if (!isDay(day)) return undefined;
  const isLeap = second === '60';
  const local = `${day}T${minute}:${isLeap ? '59.999' : `${second}.${decimals.slice(0, 3).padEnd(3, '0')}`}Z`;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  const utc = offset === 0 ? local : iso(millisOf(local) + (sign === '-' ? offset : -offset));
  return isDay(utc.slice(0, 10)) && (!isLeap || endsMonth(utc)) ? utc : undefined;
}

/** Leap seconds are at the end of a month, in UTC. */
const endsMonth = (utc: string): boolean => utc.slice(11, 16) === '23:59' && plusDays(utc.slice(0, 10), 1).endsWith('-01');

/** True for a day or any timestamp by RFC 3339: the values of `_from` and `_to` filters. */
export const isMoment = (text: string): boolean => isDay(text) || canonicalTimestamp(text) !== undefined;

const time = (format: string, max: number, holds: (text: string) => boolean, message: string): PropertyDecorator =>
  rule({
    name: format,
    schema: () => ({ type: 'string', maxLength: max, format }),
    holds: (value) => typeof value === 'string' && value.length <= max && holds(value),
    message,
  });

const EXAMPLES = 'such as 2026-03-01T12:00:00Z or 2026-03-01T13:00:00.5+01:00';

export const IsDay = (): PropertyDecorator => time('day', 10, isDay, 'Send a day that exists, as YYYY-MM-DD.');
/** Of what this service writes: responses and events. */
export const IsTimestamp = (): PropertyDecorator =>
  time('timestamp', 24, isTimestamp, 'Send a moment in UTC, as YYYY-MM-DDTHH:mm:ss.sssZ.');
/** Of requests. `canonicalTimestamp` gives the form that is stored. */
export const IsSentTimestamp = (): PropertyDecorator =>
  time('sent-timestamp', LONGEST, (text) => canonicalTimestamp(text) !== undefined, `Send a moment by RFC 3339, ${EXAMPLES}.`);
export const IsMoment = (): PropertyDecorator =>
  time('moment', LONGEST, isMoment, `Send a day as YYYY-MM-DD, or a moment by RFC 3339, ${EXAMPLES}.`);
