import { dayIn, type EventMetadata } from '@svc/kernel';
import type { InvoicingContext } from '../context.ts';
import {
  ANY_CODE,
  codesIn,
  couldMeet,
  countsByDevice,
  countsByUnit,
  isDividedAs,
  patternOf,
  placesIn,
  restartsYearly,
} from './domain/format.ts';
import type { Spend } from './search-budget.ts';
import { seriesStream } from './series.ts';

export type Tenant = Pick<EventMetadata, 'account' | 'env'>;
type Past = Pick<InvoicingContext, 'issuers' | 'clock'>;

/** A series that may have written numbers that match a pattern. */
export interface PastWriter {
  stream: string;
  /** The pattern that it used: the count may touch its neighbours. */
  pattern: string;
  series: string;
  unit: string | null;
  device: string | null;
}

export interface PastSearch {
  tenant: Tenant;
  pattern: string;
  /** Whether writers with these settings are searched: `filled` is their pattern with any code and year, `places` where they count. */
  isWanted(filled: string, places: string): boolean;
  /** Codes of digits that a series without settings may have, besides years. */
  codes: readonly string[];
  spend: Spend;
}

/** Documents could be dated ten years back, and no release without claims is older. */
const FIRST_YEAR = 2015;
/** The cost of a setting or a series that is stored, of a comparison, and of a byte of the issuer's events. */
const [KEPT, MATCH, BYTE] = [100, 10, 0.01];

/** All series that may have written such numbers, each once, by all settings that the issuer ever had. Throws `TooMany`. */
export async function pastWriters({ issuers, clock }: Past, { tenant, codes, spend, ...search }: PastSearch): Promise<PastWriter[]> {
  const years = yearsUntil(Number(dayIn('UTC', clock.now()).slice(0, 4)) + 1);
  const likely = [...years, ...codes];
  const tried = new Set<string>();
  const found = new Map<string, PastWriter>();
  for await (const { series, units } of issuers.past(tenant.account, tenant.env, (bytes) => spend(bytes * BYTE))) {
    for (const { code, format } of Object.values(series)) {
      await spend(1);
      if (!isDividedAs(search.pattern, format)) continue;
      for (const places of placesOf(format, units)) {
        await spend(places.length);
        for (const place of places) {
          if (!shows(search.pattern, format, place)) continue;
          const setting = JSON.stringify([code, format, place.unit, place.device]);
          if (tried.has(setting)) continue;
          await spend(KEPT);
          tried.add(setting);
          for await (const writer of writersOf({ ...tenant, ...place, code, format }, { ...search, years, likely, spend })) {
            const name = JSON.stringify([writer.stream, writer.pattern]);
            if (found.has(name)) continue;
            await spend(KEPT);
            found.set(name, writer);
          }
        }
      }
    }
  }
  return [...found.values()];
}

type Place = Pick<PastWriter, 'unit' | 'device'>;

/** The units and devices by which a series counts, unit by unit. */
function placesOf(format: string, units: readonly { code: string; devices: readonly string[] }[]): Place[][] {
  if (!countsByUnit(format)) return [[{ unit: null, device: null }]];
  const byDevice = countsByDevice(format);
  return units.map(({ code: unit, devices }) => (byDevice ? devices.map((device) => ({ unit, device })) : [{ unit, device: null }]));
}

/** A cheap test before the exact one: the code occurs in the pattern, or contains digits or dividers that a count could match. */
const shows = (pattern: string, format: string, { unit, device }: Place): boolean =>
  stands(pattern, format.includes('{unit}') ? unit : null) && stands(pattern, format.includes('{device}') ? device : null);
const stands = (pattern: string, name: string | null): boolean => name === null || pattern.includes(name) || /[\d/._-]/.test(name);

/** A document may name any series where the format shows its code. */
async function* writersOf(
  { code, format, ...at }: Tenant & Place & { code: string; format: string },
  of: Pick<PastSearch, 'pattern' | 'isWanted' | 'spend'> & { years: readonly string[]; likely: readonly string[] },
): AsyncGenerator<PastWriter> {
  const filled = (series: string, year: string): string => patternOf(format, { series, year, unit: at.unit, device: at.device });
  const { pattern, isWanted, years, likely, spend } = of;
  const any = filled(ANY_CODE, ANY_YEAR);
  if (!couldMeet(pattern, any) || !isWanted(any, placesIn(filled('0', '0')))) return;
  for (const year of restartsYearly(format) ? years : ['']) {
    await spend(MATCH);
    const open = filled(ANY_CODE, year);
    if (!couldMeet(pattern, open)) continue;
    const shown = format.includes('{series}') ? (codesIn(pattern, open) ?? likely) : [];
    for (const series of new Set([code, ...shown])) {
      await spend(MATCH);
      const own = filled(series, year);
      if (!couldMeet(pattern, own)) continue;
      yield {
        stream: seriesStream({ ...at, code: series, format, start: 1 }, year),
        pattern: own,
        series,
        unit: at.unit,
        device: at.device,
      };
    }
  }
}

/** A count matches any year. */
const ANY_YEAR = '{seq}';
const yearsUntil = (last: number): string[] => Array.from({ length: last - FIRST_YEAR + 1 }, (_, n) => String(FIRST_YEAR + n));
