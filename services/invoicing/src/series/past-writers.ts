import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayIn, type EventMetadata } from '@svc/kernel';
import type { InvoicingContext } from '../context.ts';
import { ANY_CODE, couldMeet, countsByDevice, countsByUnit, patternOf, placesIn, restartsYearly } from './format.ts';
import { seriesStream } from './series.ts';

export type Tenant = Pick<EventMetadata, 'account' | 'env'>;
type Past = Pick<InvoicingContext, 'issuers' | 'clock'>;

/** A series that could have written numbers that read as ones of a pattern. */
export interface PastWriter {
  stream: string;
  /** By which it did: the count may touch its neighbours. */
  pattern: string;
  series: string;
  unit: string | null;
  device: string | null;
}

/** What a search may cost, in places that are looked at: a setting costs as much as forty, a series as fifty. Far more than an issuer has, and some seconds. */
const MOST_WORK = 2_000_000;
/** Of that before others have their turn: some milliseconds. */
const WORK_AT_ONCE = 4_000;
/** Documents could be dated ten years back, and no release without claims is older. */
const FIRST_YEAR = 2015;

export interface PastSearch {
  tenant: Tenant;
  pattern: string;
  /** Of series that no settings name, besides those that the pattern tells. */
  codes: readonly string[];
  /** Whether writers that count at these places (`placesIn`) are wanted; all are where it is left out. */
  isAt?: (places: string) => boolean;
}

/**
 * Found by all settings that the issuer ever had, as no setting of today need tell, each once. Throws `TooMany`. Others have their turn in between.
 */
export async function* pastWriters(context: Past, { tenant, pattern, codes, isAt = () => true }: PastSearch): AsyncGenerator<PastWriter> {
  const years = yearsUntil(Number(dayIn('UTC', context.clock.now()).slice(0, 4)) + 1);
  const [tried, found] = [new Set<string>(), new Set<string>()];
  let [work, rested] = [0, 0];
  for await (const { series, units } of context.issuers.past(tenant.account, tenant.env)) {
    for (const { code, format } of Object.values(series)) {
      for (const place of placesOf(format, units)) {
        work += 1;
        if (work > MOST_WORK) throw new TooMany();
        if (work > rested + WORK_AT_ONCE) {
          rested = work;
          await nextTurn();
        }
        if (!shows(pattern, format, place)) continue;
        const setting = JSON.stringify([code, format, place.unit, place.device]);
        if (tried.has(setting)) continue;
        tried.add(setting);
        work += 40;
        if (!isAt(placesIn(patternOf(format, { series: '0', year: '0', ...place })))) continue;
        for (const writer of writersOf(pattern, { ...tenant, code, format, ...place }, { years, codes })) {
          const name = JSON.stringify([writer.stream, writer.pattern]);
          if (found.has(name)) continue;
          found.add(name);
          work += 50;
          yield writer;
        }
      }
    }
  }
}

/** An issuer had too many settings to look through. */
export class TooMany extends Error {}

type Place = Pick<PastWriter, 'unit' | 'device'>;

function* placesOf(format: string, units: readonly { code: string; devices: readonly string[] }[]): Generator<Place> {
  const byDevice = countsByDevice(format);
  if (!countsByUnit(format)) return yield { unit: null, device: null };
  for (const { code: unit, devices } of units) {
    if (!byDevice) yield { unit, device: null };
    else for (const device of devices) yield { unit, device };
  }
}

/** A cheap look before the exact one: the place stands in the pattern, or is digits where a count could be. */
const shows = (pattern: string, format: string, { unit, device }: Place): boolean =>
  stands(pattern, format.includes('{unit}') ? unit : null) && stands(pattern, format.includes('{device}') ? device : null);
const stands = (pattern: string, name: string | null): boolean => name === null || pattern.includes(name) || /[\d/._-]/.test(name);

/** Documents may name any series where its code shows. */
function* writersOf(
  pattern: string,
  { code, format, ...of }: Tenant & Place & { code: string; format: string },
  { years, codes }: { years: readonly string[]; codes: readonly string[] },
): Generator<PastWriter> {
  const filled = (series: string, year: string): string => patternOf(format, { series, year, unit: of.unit, device: of.device });
  if (!couldMeet(pattern, filled(ANY_CODE, ANY_YEAR))) return;
  for (const year of restartsYearly(format) ? years : ['']) {
    const open = couldMeet(pattern, filled(ANY_CODE, year));
    if (!open) continue;
    const named = format.includes('{series}') ? [code, ...(open.code === null ? codes : [open.code])] : [code];
    for (const series of new Set(named)) {
      const own = filled(series, year);
      if (!couldMeet(pattern, own)) continue;
      yield {
        stream: seriesStream({ ...of, code: series, format, start: 1 }, year),
        pattern: own,
        series,
        unit: of.unit,
        device: of.device,
      };
    }
  }
}

/** A count reads as any year. */
const ANY_YEAR = '{seq}';
const yearsUntil = (last: number): string[] => Array.from({ length: last - FIRST_YEAR + 1 }, (_, n) => String(FIRST_YEAR + n));

/** Codes of digits alone that a series may well have: years, and what stands in the pattern. */
export const likelyCodes = (pattern: string, now: number): string[] => [
  ...(pattern.match(/\d{1,12}/g) ?? []),
  ...yearsUntil(Number(dayIn('UTC', now).slice(0, 4)) + 1),
];
