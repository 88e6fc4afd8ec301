import { seriesKinds } from '@svc/contracts/issuer/series';
import { compareAndSet } from '@svc/document-store';
import { dayIn, DomainError, invalid, millisOf, notFound, uidOf, type Day, type Env } from '@svc/kernel';
import type { NumberingContext } from './context.ts';
import { placesOf, type NumberSettings } from './domain/settings.ts';
import { restartsYearly } from './domain/format.ts';
import { firstSeq, issuedAtOf, NUMBERS_RAISED, withinYear, type NumberLink, type NumbersRaised } from './domain/numbering.ts';
import { seriesStream, type SeriesRow, type SeriesRows } from './series.ts';
import { isAnyNumbered, yearsBefore } from './take-number.ts';
import type { RestoredStore } from './restored-store.ts';

/** What operators' commands after a restore work with. */
export interface SeriesContext extends Pick<NumberingContext, 'store' | 'sequence' | 'clock'> {
  issuers: {
    /** The default where nothing is stored. */
    of(account: string, env: Env): Promise<NumberSettings>;
    /** Whether something is stored. */
    isStored(account: string, env: Env): Promise<boolean>;
  };
  rows: SeriesRows;
  /** undefined: nothing was restored, and every series is open. */
  restored: RestoredStore | undefined;
}

/** A series as operators see it. */
export interface SeriesNumbers {
  /** Its stream. */
  series: string;
  open: boolean;
  /** The last count in the store; null: it has no number there. */
  last: number | null;
  last_issue_date: Day | null;
}

export interface Raise {
  /** The stream of the series. */
  series: string;
  /** The last count that the authority knows. */
  last: number;
  /** The issue date of that document; by default the day of the restore. Only with a count that the store does not have. */
  issueDate?: Day | undefined;
  /** False: only says what it would do. */
  confirm: boolean;
}

/** What a raise does, or would do. */
export interface Raised extends SeriesNumbers {
  /** How many counts the series skips, since the authority knows them and the store does not; null: it has none in the store to count from. */
  skips: number | null;
  /** null: the series has no number and begins with the `start` of its settings. */
  next: number | null;
}

/** Nest's injection token of the `SeriesContext`. */
export const SERIES = Symbol('SeriesContext');

const PAGE = 100;

/** The series that callers or operators have asked for since the restore, in the order of their names; at most 100 behind `after`. */
export async function listSeries({ store, rows, restored }: SeriesContext, open: boolean, after = ''): Promise<SeriesNumbers[]> {
  if (!restored) return [];
  const found = rows.find({ restored: restored.at, open, _id: { $gt: after } }, { sort: { _id: 1 }, limit: PAGE });
  return Promise.all((await Array.fromAsync(found)).map((row) => numbersOf(store, row)));
}

/**
 * Notes the series of an account that its settings name, each in the years in which it may have numbers that the store does not know: that
 * of the restore and the one before. Returns them. Throws not_found for an account without settings.
 */
export async function noteSeries(context: SeriesContext, account: string, env: Env): Promise<SeriesNumbers[]> {
  const { store, rows, issuers, restored } = context;
  if (!restored) throw nothingRestored();
  if (uidOf('acct', account) === undefined || !(await issuers.isStored(account, env))) throw notFound('issuer');
  const issuer = await issuers.of(account, env);
  const thisYear = dayIn(issuer.time_zone, millisOf(restored.at)).slice(0, 4);
  const years = [String(Number(thisYear) - 1), thisYear];
  const noted = seriesKinds.flatMap((kind) => {
    const settings = issuer.series[kind];
    const yearly = restartsYearly(settings.format);
    return placesOf(settings.format, issuer).flatMap((place) =>
      (yearly ? years : [thisYear]).map((year): SeriesRow => {
        const _id = seriesStream({ account, env, ...settings, ...place }, year);
        return { _id, version: 1, account, env, code: settings.code, year: yearly ? year : null, restored: restored.at, open: false };
      }),
    );
  });
  const found: SeriesNumbers[] = [];
  for (const row of noted) {
    const change = ({ restored: of }: SeriesRow) => (of === restored.at ? undefined : { restored: restored.at, open: false });
    const { doc } = await compareAndSet<SeriesRow, SeriesRow>(rows, row._id, { absent: () => row, change });
    found.push(await numbersOf(store, doc));
  }
  return found;
}

/**
 * Opens a series: it continues behind `last`, the highest count that the authority or the store knows. Repeated it finishes what a crash
 * left. Throws not_found for a series that was not noted, and validation_error for a count below that of the store, and a date before the
 * store's, in the future, outside the series' year, or of a count that is not stored: what a series says once it says for ever.
 */
export async function raiseSeries(context: SeriesContext, { series, last, issueDate, confirm }: Raise): Promise<Raised> {
  const { store, sequence, rows, restored, issuers, clock } = context;
  if (!restored) throw nothingRestored();
  const row = await rows.get(series);
  if (row?.restored !== restored.at) throw notFound('series');
  const { account, env, year } = row;
  const { time_zone } = await issuers.of(account, env);
  const today = dayIn(time_zone, clock.now());
  const date = issueDate ?? withinYear(dayIn(time_zone, millisOf(restored.at)), year);
  const to = { last, date, given: issueDate, first: firstSeq(await beginningOf(context, row), last) };
  if (date > today) throw invalid({ issue_date: [`is in the future: today is ${today}.`] });
  if (year !== null && date.slice(0, 4) !== year) throw invalid({ issue_date: [`is not in ${year}, the year of the series.`] });
  const before = await numbersOf(store, row);
  if (!confirm) {
    const planned = raised((await store.tail(series, 1))[0]?.data as NumberLink | undefined, to);
    if (planned instanceof DomainError && planned !== UNCHANGED) throw planned;
    return { ...before, ...stepOf(before, planned) };
  }
  const link = await sequence.take<NumberLink>({
    stream: series,
    seen: await sequence.head(series),
    document: `raised:${last}`,
    ...NUMBERS_RAISED,
    metadata: { account, env, actor: { type: 'system', id: 'operator' } },
    link: (newest) => raised(newest, to),
  });
  if (link instanceof DomainError && link !== UNCHANGED) throw link;
  const { doc } = await compareAndSet(rows, series, { absent: () => row, change: ({ open }) => (open ? undefined : { open: true }) });
  return { ...(await numbersOf(store, doc)), ...stepOf(before, link) };
}

/** The store has this very count already. */
const UNCHANGED = new DomainError('invalid_state', 'The series has this number already.');

function raised(
  newest: NumberLink | undefined,
  { last, date, given, first }: { last: number; date: Day; given: Day | undefined; first: number },
): NumbersRaised | DomainError {
  const [known, day] = newest?.issue_date ? [newest.seq, newest.issue_date] : [0, null];
  if (last < known) return invalid({ last: [`is ${last}, and the store has ${known} already: send ${known} or more.`] });
  if (last === known) {
    if (given === undefined || given === day) return UNCHANGED;
    return invalid({
      issue_date: [`is not stored: ${day === null ? 'no number has it' : `${last} has ${day} in the store`}. Leave it out.`],
    });
  }
  if (day !== null && date < day) return invalid({ issue_date: [`is before ${day}, the last one in the store.`] });
  const after = day === null ? first - 1 : known;
  return { document: `raised:${last}`, seq: last, after, issue_date: date, ...issuedAtOf(newest) };
}

/** What a count without numbers begins with: the `start` of its settings, and 1 in a year that continues earlier ones. */
async function beginningOf({ store, issuers }: SeriesContext, { _id: series, account, env, code, year }: SeriesRow): Promise<number> {
  const settings = Object.values((await issuers.of(account, env)).series).find((own) => own.code === code);
  const start = settings?.start ?? 1;
  if (start === 1 || year === null) return start;
  const streamIn = (other: string): string => `${series.slice(0, -year.length)}${other}`;
  return (await isAnyNumbered(store, yearsBefore(year).map(streamIn))) ? 1 : start;
}

function stepOf({ last }: SeriesNumbers, to: NumberLink | DomainError): Pick<Raised, 'skips' | 'next'> {
  if (to instanceof DomainError) return { skips: 0, next: last === null ? null : last + 1 };
  return { skips: last === null ? null : to.seq - last, next: to.seq + 1 };
}

async function numbersOf(store: NumberingContext['store'], { _id: series, open }: SeriesRow): Promise<SeriesNumbers> {
  const [last] = await store.tail(series, 1);
  const { seq = null, issue_date = null } = (last?.data ?? {}) as Partial<NumberLink>;
  return { series, open, last: issue_date === null ? null : seq, last_issue_date: issue_date };
}

const nothingRestored = (): DomainError =>
  new DomainError('invalid_state', 'The system was not restored from a backup: every series is open.');
