/** A calendar day, `YYYY-MM-DD`. Days compare as strings. */
export type Day = string;

/** Bound of both caches. There are some 600 zone names, which callers write in any case; a format takes tens of KiB. */
const MOST_ZONES = 1_000;

const formats = new Map<string, Intl.DateTimeFormat>();
const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  let format = formats.get(timeZone);
  if (!format) {
    if (formats.size >= MOST_ZONES) formats.clear();
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format;
};

const MINUTE = 60_000;
const latest = new Map<string, { minute: number; day: Day }>();

/** The day that `at` (milliseconds since 1970) falls on in an IANA time zone. Caches each zone's last minute, since most calls ask for now. */
export function dayIn(timeZone: string, at: number): Day {
  const minute = Math.floor(at / MINUTE);
  const known = latest.get(timeZone);
  if (known?.minute === minute) return known.day;
  const day = formatOf(timeZone).format(at);
  if (latest.size >= MOST_ZONES) latest.clear();
  latest.set(timeZone, { minute, day });
  return day;
}

/** True for an IANA time zone that this runtime knows. It takes offsets such as +02:00 too, which are none. */
export function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** True for a day that exists. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) && year >= 1;
}

const daysIn = (year: number, month: number): number =>
  month === 2 ? (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

export const plusDays = (day: Day, days: number): Day => iso(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).slice(0, 10);

let last = { at: 0, text: '1970-01-01T00:00:00.000Z' };

/** `YYYY-MM-DDTHH:mm:ss.sssZ` of milliseconds since 1970. */
export function iso(at: number): string {
  if (at !== last.at) last = { at, text: new Date(at).toISOString() }; // many events of a turn have one millisecond
  return last.text;
}

/** When `day` begins in the zone, in milliseconds since 1970. */
export function startOfDay(timeZone: string, day: Day): number {
  const noon = Date.parse(`${day}T00:00:00Z`);
  // A zone's offset is at most 14 h: find the hour, then the minute, in which the local day begins.
  let at = noon - 15 * 3_600_000;
  while (dayIn(timeZone, at + 3_600_000) < day) at += 3_600_000;
  while (dayIn(timeZone, at) < day) at += 60_000;
  return at;
}

/** Milliseconds since 1970 of an ISO 8601 timestamp, a day (its midnight in UTC) or an HTTP date; NaN for anything else. */
export const millisOf = (text: string): number => Date.parse(text);

/** For libraries that take a `Date`. */
export const dateOf = (text: string): Date => new Date(text);
