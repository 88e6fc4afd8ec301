/** Time and timers. Only `systemClock` reads the machine's clock, so that every test can run on `FakeClock`. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Calls `fire` once after `ms`. Returns a function that cancels it. */
  after(ms: number, fire: () => void): () => void;
  /** Resolves after `ms`, or at once when the signal aborts (never rejects). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const MAX_TIMER_MS = 2_147_483_647;

/** `sleep` on a clock's `after`. */
export const sleepOn =
  (after: Clock['after']) =>
  (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const cancel = after(ms, () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      });
      const stop = (): void => {
        cancel();
        resolve();
      };
      signal?.addEventListener('abort', stop, { once: true });
    });

const systemAfter: Clock['after'] = (ms, fire) => {
  let timer: NodeJS.Timeout;
  const arm = (rest: number): void => {
    timer = setTimeout(() => (rest > MAX_TIMER_MS ? arm(rest - MAX_TIMER_MS) : fire()), Math.min(Math.max(0, rest), MAX_TIMER_MS));
  };
  arm(ms);
  return () => clearTimeout(timer);
};

/** Milliseconds since some moment, by a clock that cannot be set. It may stand still while the machine sleeps. */
export const monotonicMs = (): number => performance.now();

/** Milliseconds so far in which the event loop had nothing to do. */
export const idleMs = (): number => performance.eventLoopUtilization().idle;

/** The machine's clock, whose timers do not keep the process running. */
export const unheldClock: Pick<Clock, 'now' | 'after'> = {
  now: () => Date.now(),
  after(ms, fire) {
    const timer = setTimeout(fire, Math.min(Math.max(0, ms), MAX_TIMER_MS)).unref();
    return () => clearTimeout(timer);
  },
};

export const systemClock: Clock = { now: () => Date.now(), after: systemAfter, sleep: sleepOn(systemAfter) };

// What a clock that was ahead has written is judged by the one that was set back. All times are milliseconds since 1970.

/** By so much the clock of the process that wrote a wait may be ahead of the one that reads it. */
const AHEAD_MS = 60_000;

/**
 * Whether a wait goes on that is to end at `until` and is never longer than `most`. One that ends later than the clocks of two processes explain was written by a clock that
 * was ahead, and was set back since: it is over.
 */
export const waitGoesOn = (until: number, now: number, most: number): boolean => until > now && until <= now + most + AHEAD_MS;

/** Whether what this process has read at `at` is younger than `most`. What it read by a clock that was set back since is as old as anything. */
export const isFresh = (at: number, now: number, most: number): boolean => at <= now && now < at + most;

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 10_000;

/** Repeats `work` until it succeeds, after each error with a longer delay; undefined when `stopped` aborts first. `work` logs its own errors. */
export async function retry<T>(work: () => Promise<T>, clock: Clock, stopped: AbortSignal): Promise<T | undefined> {
  for (let delay = FIRST_DELAY_MS; !stopped.aborted; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
    try {
      return await work();
    } catch {
      await clock.sleep(delay, stopped);
    }
  }
  return undefined;
}

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
