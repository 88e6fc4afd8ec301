import { iso, millisOf } from '@svc/kernel';

const MOST_ZONES = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  if (formats.size >= MOST_ZONES) formats.clear();
  const two = '2-digit' as const;
  const parts = {
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, ...parts });
  formats.set(timeZone, format);
  return format;
}

/** `2026-03-01T11:00:05+01:00` of an ISO 8601 time: the wall clock of an IANA time zone, whole seconds, and its offset. */
export function localTime(timeZone: string, at: string): string {
  const of = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(millisOf(at))
      .map(({ type, value }) => [type, value]),
  );
  const offset = of['timeZoneName'] === 'GMT' ? '+00:00' : of['timeZoneName']?.replace('GMT', '');
  return `${of['year']}-${of['month']}-${of['day']}T${of['hour']}:${of['minute']}:${of['second']}${offset}`;
}

/** The same of an ISO 8601 time in the offset of another local time. */
export function inOffsetOf(local: string, at: string): string {
  const offset = local.slice(19);
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const ms = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  return `${iso(millisOf(at) + ms).slice(0, 19)}${offset === 'Z' ? '+00:00' : offset}`;
}
