import type { SeriesKind } from '@svc/contracts/issuer/series';
import { CLOSED_WORDS } from '@svc/contracts/issuer/setup';
import { invalid, type Env, streamOf, DomainError, millisOf, plusDays, recentlyUsed, timeOf, uidOf } from '@svc/kernel';
import type { NumberSettings } from './domain/settings.ts';
import { countsByDevice, countsByUnit, formatNumber, restartsYearly } from './domain/format.ts';
import { compareAndSet, type Collection, type Doc } from '@svc/document-store';
import type { Numbering } from './domain/numbering.ts';
import type { RestoredStore } from './restored-store.ts';

/** The series that a document takes its number from. */
export interface Series {
  account: string;
  env: Env;
  code: string;
  format: string;
  /** The very first number. */
  start: number;
  /** Where the format counts by them, else null. */
  unit: string | null;
  device: string | null;
}

export interface SeriesWanted {
  account: string;
  env: Env;
  kind: SeriesKind;
  code: string;
  /** Of the document. */
  unit: string | null;
  device: string | null;
}

/** Of a number as documents show it. */
const MOST_LETTERS = 255;
const HIGHEST = { year: '9999', seq: Number.MAX_SAFE_INTEGER };

/**
 * The series `code` of an issuer. One with issuer settings uses these; any other has the format of its kind and starts
 * at 1. Throws validation_error where the document lacks what the format needs, two series could write the same numbers, or a number is too long.
 */
export function seriesOf(issuer: Pick<NumberSettings, 'series'>, { account, env, kind, code, unit, device }: SeriesWanted): Series {
  const own =
    issuer.series[kind].code === code ? issuer.series[kind] : Object.values(issuer.series).find((settings) => settings.code === code);
  const { format } = own ?? issuer.series[kind];
  const [byUnit, byDevice] = [countsByUnit(format), countsByDevice(format)];
  if (!own && !format.includes('{series}')) {
    const own = [...new Set(Object.values(issuer.series).map((settings) => settings.code))].join(', ');
    throw invalid({
      series: [`is not one of the issuer's, ${own}, and numbers of the format ${format} would be those of others: name one of them.`],
    });
  }
  if (byUnit && unit === null) throw invalid({ unit: [`is needed by the number format ${format}: add one to the issuer's units.`] });
  if (byDevice && device === null) throw invalid({ device: [`is needed by the number format ${format}: add one to the unit's devices.`] });
  const { length } = formatNumber(format, { series: code, unit, device, ...HIGHEST });
  if (length > MOST_LETTERS) {
    throw invalid({
      series: [`would have numbers of up to ${length} characters; at most ${MOST_LETTERS}: shorten its format or the codes in it.`],
    });
  }
  return { account, env, code, format, start: own?.start ?? 1, unit: byUnit ? unit : null, device: byDevice ? device : null };
}

/** `series-live.acct_01….INV.2026`; with business unit and till before the year where the format counts by them. */
export function seriesStream({ account, env, code, format, unit, device }: Series, year: string): string {
  const parts = [code, unit, device, restartsYearly(format) ? year : null];
  return streamOf('series', env, account, parts.flatMap((part) => (part === null ? [] : [escaped(part)])).join('.'));
}

/** Letters, digits, `_` and `-` unchanged, all others by code point: a `.` within a part would end it. */
const escaped = (part: string): string => part.replace(/[^\w-]/gu, (letter) => `%${letter.codePointAt(0)?.toString(16)}%`);

/** A series that may have numbers which the restored store does not know. `_id`: its stream. */
export interface SeriesRow extends Doc {
  account: string;
  env: Env;
  code: string;
  /** Of a series that restarts each year. */
  year: string | null;
  /** The restore after which it was noted (`RestoredStore.at`). A row of an earlier one says nothing. */
  restored: string;
  /** An operator has said how far its numbers go. */
  open: boolean;
}

export type SeriesRows = Collection<SeriesRow>;

export const seriesRowIndexes = [{ fields: ['restored', 'open', '_id'] }, { fields: ['account', 'env', 'restored', 'open'] }];

/** Which series take no numbers. */
export interface ClosedSeries {
  /** The error for a caller; undefined where the series is open. A closed series is noted, so that operators find it. */
  closed(tenant: { account: string; env: Env }, numbering: Pick<Numbering, 'stream' | 'series' | 'year'>): Promise<DomainError | undefined>;
  /** Codes of the closed series of an account, of those that were noted; each once. */
  closedOf(tenant: { account: string; env: Env }): Promise<string[]>;
}

const RETRY_AFTER_S = 60;
const KEPT = 10_000;
const MOST_SHOWN = 100;
/** Time zones and clocks differ by less. */
const MARGIN_DAYS = 2;

/** Where nothing was restored. */
export const noClosedSeries: ClosedSeries = { closed: async () => undefined, closedOf: async () => [] };

/**
 * After a restore every series is closed until an operator has raised it: the authority may know numbers that were taken after the backup,
 * and a second document under one of them could not be registered. Series cannot have such numbers where their account was opened, or
 * their year began, after the restore.
 */
export function closedSeries(restored: RestoredStore, rows: SeriesRows): ClosedSeries {
  const opened = recentlyUsed<true>(KEPT);
  const lastYear = plusDays(restored.at.slice(0, 10), MARGIN_DAYS).slice(0, 4);
  const isLater = (account: string, year: string | null): boolean => {
    const uid = uidOf('acct', account);
    return (year !== null && year > lastYear) || (uid !== undefined && timeOf(uid) > millisOf(restored.at));
  };
  return {
    async closed({ account, env }, { stream, series: code, year }) {
      if (opened.has(stream) || isLater(account, year)) return undefined;
      const { doc } = await compareAndSet<SeriesRow, SeriesRow>(rows, stream, {
        absent: () => ({ _id: stream, version: 1, account, env, code, year, restored: restored.at, open: false }),
        change: (row) => (row.restored === restored.at ? undefined : { restored: restored.at, open: false }),
      });
      if (!doc.open) return closedError(code);
      opened.set(stream, true);
      return undefined;
    },
    async closedOf({ account, env }) {
      const closed = rows.find({ account, env, restored: restored.at, open: false }, { limit: MOST_SHOWN });
      return [...new Set((await Array.fromAsync(closed)).map(({ code }) => code))].sort();
    },
  };
}

const closedError = (code: string): DomainError =>
  new DomainError(
    'service_unavailable',
    `The series ${code} ${CLOSED_WORDS} Nothing was changed. Repeat the request later.`,
    undefined,
    RETRY_AFTER_S,
  );
