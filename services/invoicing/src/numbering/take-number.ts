import { dayIn, invalid, millisOf, plusDays, DomainError, type Day, type EventMetadata } from '@svc/kernel';
import type { NumberingContext } from './context.ts';
import { restartsYearly } from './domain/format.ts';
import {
  AnotherDay,
  answers,
  backwards,
  dueBeforeIssue,
  isTaken,
  NUMBER_REFUSED,
  NUMBER_TAKEN,
  numberAfter,
  onAnotherDay,
  refusedAfter,
  withinYear,
  type NumberLink,
  type NumberTaken,
  type Numbering,
} from './domain/numbering.ts';
import { patternsOf } from './patterns.ts';
import { seriesStream, type Series } from './series.ts';

type Numbers = Omit<NumberingContext, 'restored'>;

/** How many years back a series that restarts each year can be continued. */
const MOST_YEARS = 10;
/** How many numbers are read to find the series' last date; it may still be later, and then taking the number is refused. */
const LOOK_AHEAD = 1_000;

/**
 * What the document must store before it requests its number. Throws validation_error naming `issue_date`: in the future, before
 * the series' last, or too long ago; naming `due_date`: before the day of issue; naming `series`: its numbers could repeat those of another. Either may also arise afterwards;
 * `takeNumber` then refuses by the same rules. Throws service_unavailable while the series is closed after a restore, or the clock is surely ahead.
 */
export async function beginNumbering(
  context: Numbers,
  { series, issueDate, dueDate = null, timeZone }: { series: Series; issueDate: Day | null; dueDate?: Day | null; timeZone: string },
): Promise<Numbering> {
  const { store, sequence, clock } = context;
  await context.clockCheck.check();
  const today = dayIn(timeZone, clock.now());
  if (issueDate !== null && issueDate > today) throw invalid({ issue_date: [`is in the future: today is ${today}.`] });
  const yearly = restartsYearly(series.format);
  const year = yearly ? await yearFor(store, series, { issueDate, today }) : (issueDate ?? today).slice(0, 4);
  const issued = issueDate ?? withinYear(today, yearly ? year : null);
  if (dueDate !== null && dueDate < issued) throw invalid(dueBeforeIssue(dueDate, issued));
  const stream = seriesStream(series, year);
  const seen = await sequence.head(stream);
  if (issueDate !== null && seen !== 'none') {
    const last = (await store.read(stream, seen, LOOK_AHEAD)).at(-1)?.data as NumberLink | undefined;
    if (last?.issue_date && issueDate < last.issue_date) throw backwards(series.code, last.issue_date);
  }
  const mayContinue = yearly && series.start !== 1 && (seen === 'none' || !(await anyOf(store, series, [year])));
  const continued = mayContinue && (await anyOf(store, series, yearsBefore(year)));
  const numbering: Numbering = {
    stream,
    seen: String(seen),
    series: series.code,
    format: series.format,
    year: yearly ? year : null,
    unit: series.unit,
    device: series.device,
    first: continued ? 1 : series.start,
    issue_date: issueDate,
    ...(dueDate !== null && { due_date: dueDate }),
    time_zone: timeZone,
  };
  const tenant = { account: series.account, env: series.env };
  const obstacle =
    (await context.closedSeries.closed(tenant, numbering)) ?? (await patternsOf(context).look({ metadata: tenant, numbering }));
  if (obstacle) throw obstacle;
  return numbering;
}

export interface Taking {
  numbering: Numbering;
  document: string;
  /** Which of the document's requests, from 1. */
  request: number;
  metadata: Omit<EventMetadata, 'v'>;
  /** The zone in which the number has to be taken on the issue date; absent: it may be taken on a later day. */
  onIssueDateIn?: string | undefined;
  /** Why the document no longer takes a number, as this actor sees it. Other actors may not know yet. */
  obstacle?: DomainError | undefined;
}

/**
 * The document's one number, taken or found: any number of actors may request it at any time. Before that the series claims its pattern.
 * After a refusal no actor takes a number for this request; a number taken before is still found.
 *
 * Every reason for a refusal holds for all actors: dates and claims never revert, and an `obstacle`, or that the issue date is over, is stored in the series.
 *
 * Throws service_unavailable while the series is closed after a restore, or the clock is surely ahead: the same call may then be repeated.
 */
export async function takeNumber(context: Numbers, taking: Taking): Promise<NumberTaken | DomainError> {
  const { numbering, document, request, metadata, onIssueDateIn: zone, obstacle } = taking;
  const { sequence, clock } = context;
  const { stream, seen } = numbering;
  if (!obstacle) await context.clockCheck.check();
  const closed = obstacle ? undefined : await context.closedSeries.closed(metadata, numbering);
  if (closed) throw closed;
  const refusal = obstacle ? undefined : await patternsOf(context).claim({ metadata, numbering });
  const link = await sequence.take<NumberLink>({
    stream,
    seen: seen === 'none' ? 'none' : BigInt(seen),
    document,
    ...(obstacle ? NUMBER_REFUSED : NUMBER_TAKEN),
    metadata,
    answers: (found) => answers(request, found),
    link(last) {
      if (last?.issued_at !== undefined) context.clockCheck.saw('newest number', millisOf(last.issued_at));
      if (obstacle) return refusedAfter(last, numbering, { document, request, details: obstacle.details ?? {} });
      const number = refusal ?? numberAfter(last, numbering, document, clock.now());
      if (number instanceof DomainError || zone === undefined) return number;
      return onAnotherDay(number, numbering, zone) ?? number;
    },
  });
  if (link instanceof AnotherDay) return takeNumber(context, { ...taking, obstacle: link });
  if (link instanceof DomainError || isTaken(link)) return link;
  return invalid('details' in link ? link.details : {});
}

/** True once a number of the series was taken in any of the last years: then its `start` is fixed. */
export const isStarted = ({ store, clock }: Pick<Numbers, 'store' | 'clock'>, series: Series, timeZone: string): Promise<boolean> => {
  const year = yearOf(dayIn(timeZone, clock.now()));
  return anyOf(store, series, restartsYearly(series.format) ? years(year - MOST_YEARS, year + 1) : [String(year)]);
};

/**
 * The year whose count continues: that of the given date, else today's. A later year that has begun closes earlier ones: time zones
 * are up to a day apart, so it can be ahead of today.
 */
async function yearFor(
  store: Numbers['store'],
  series: Series,
  { issueDate, today }: { issueDate: Day | null; today: Day },
): Promise<string> {
  const year = yearOf(issueDate ?? today);
  if (yearOf(today) - year > MOST_YEARS) throw invalid({ issue_date: [`is more than ${MOST_YEARS} years ago.`] });
  for (const later of years(year + 1, yearOf(plusDays(today, 2))).reverse()) {
    if (!(await anyOf(store, series, [later]))) continue;
    if (issueDate === null) return later;
    throw backwards(series.code, `${later}-01-01`);
  }
  return yearText(year);
}

const anyOf = (store: Numbers['store'], series: Series, list: string[]): Promise<boolean> =>
  isAnyNumbered(
    store,
    list.map((year) => seriesStream(series, year)),
  );

/** Whether a number was taken in any of the streams, or raised to: a refusal before the first one has no date. */
export const isAnyNumbered = async (store: Numbers['store'], streams: readonly string[]): Promise<boolean> =>
  (await Promise.all(streams.map((stream) => store.tail(stream, 1)))).some(
    ([last]) => last && (last.data as NumberLink).issue_date !== null,
  );

/** Those whose count a year continues. */
export const yearsBefore = (year: string): string[] => years(Number(year) - MOST_YEARS, Number(year) - 1);

const yearOf = (day: Day): number => Number(day.slice(0, 4));
const yearText = (year: number): string => String(year).padStart(4, '0');
const years = (from: number, to: number): string[] => Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => yearText(from + n));
