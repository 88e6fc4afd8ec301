import { isDay } from '@svc/kernel';
import { rule } from './rule.ts';

/** True for an ISO 8601 timestamp in UTC with at most 3 decimals: `2026-03-01T12:00:00Z`, `2026-03-01T12:00:00.250Z`. */
export const isTimestamp = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/.test(text) && isDay(text.slice(0, 10));

/** The form in which timestamps are stored and compared: `…T12:00:00Z` → `…T12:00:00.000Z`. */
export const canonicalTimestamp = (text: string): string => `${text.slice(0, 19)}.${text.slice(20, -1).padEnd(3, '0')}Z`;

/** True for a day or a timestamp: the values of `_from` and `_to` filters. */
export const isMoment = (text: string): boolean => isDay(text) || isTimestamp(text);

const time = (format: string, max: number, holds: (text: string) => boolean, message: string): PropertyDecorator =>
  rule({
    name: format,
    schema: () => ({ type: 'string', maxLength: max, format }),
    holds: (value) => typeof value === 'string' && value.length <= max && holds(value),
    message,
  });

export const IsDay = (): PropertyDecorator => time('day', 10, isDay, 'Send a day that exists, as YYYY-MM-DD.');
export const IsTimestamp = (): PropertyDecorator =>
  time('timestamp', 24, isTimestamp, 'Send a moment in UTC, as YYYY-MM-DDTHH:mm:ss.sssZ.');
export const IsMoment = (): PropertyDecorator =>
  time('moment', 24, isMoment, 'Send a day as YYYY-MM-DD or a moment in UTC as YYYY-MM-DDTHH:mm:ss.sssZ.');
