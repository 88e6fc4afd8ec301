import { locale } from '../texts/t.ts';

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'long' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

/** A day of the calendar, `2026-11-28`, which is of no time zone. */
export const showDay = (date: string): string => {
  const [year = 0, month = 1, of = 1] = date.split('-').map(Number);
  return day.format(new Date(year, month - 1, of));
};

/** A moment, in the reader's time zone. */
export const showTime = (at: string): string => time.format(new Date(at));
/** The same in another one; in one that this browser does not know it is the reader's. */
export function showTimeIn(zone: string, at: string): string {
  try {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(new Date(at));
  } catch {
    return showTime(at);
  }
}
export const showExactTime = (at: string): string => exact.format(new Date(at));

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago, or how soon: "5 minutes ago". */
export function showRelative(at: string, now = Date.now()): string {
  const seconds = (Date.parse(at) - now) / 1000;
  for (const [unit, size] of UNITS) if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return relative.format(0, 'second');
}

/** A time as a field of the browser takes it: in the reader's zone, to the minute. */
export function localTime(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The day of the calendar in a time zone, `2026-11-28`. Without one, or in one that this browser does not know, the reader's. */
export function dayIn(zone: string | undefined, at = new Date()): string {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(at);
    const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
    return `${of('year')}-${of('month')}-${of('day')}`;
  } catch {
    return localTime(at.toISOString()).slice(0, 10);
  }
}
