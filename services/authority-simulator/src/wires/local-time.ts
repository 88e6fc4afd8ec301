import { iso, millisOf } from '@svc/kernel';

const formats = new Map<string, Intl.DateTimeFormat>();
const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(timeZone, format);
  }
  return format;
};

/** `2026-03-01T10:00:00+01:00`: a time in milliseconds since 1970, by the clocks of a zone. */
export function localTime(timeZone: string, at: number): string {
  const local = formatOf(timeZone).format(at).replace(' ', 'T');
  const seconds = iso(at).slice(0, 19);
  const minutes = (millisOf(`${local}Z`) - millisOf(`${seconds}Z`)) / 60_000;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${local}${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');
