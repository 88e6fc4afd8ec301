import { invalid, type EventMetadata, type Refusal } from '@svc/kernel';
import type { InvoicingContext } from '../context.ts';
import { countsByDevice, countsByUnit, isWrittenBy, patternOf, restartsYearly } from './format.ts';
import type { NumberTaken } from './numbering.ts';
import { seriesStream } from './series.ts';

type Tenant = Pick<EventMetadata, 'account' | 'env'>;

/** A series that could have written numbers by a pattern. */
export interface Earlier {
  stream: string;
  series: string;
  unit: string | null;
  device: string | null;
}

const PAGE = 1_000;
/** Different places and settings that are tried for one pattern: far more than an issuer has. */
const MOST_TRIED = 200_000;

/** Whether a series has a number that the pattern makes. Reads from its first on: the numbers that claimed nothing are its oldest. */
export async function hasWritten({ store }: Pick<InvoicingContext, 'store'>, stream: string, pattern: string): Promise<boolean> {
  for (let from = 0n; ; from += BigInt(PAGE)) {
    const page = await store.read(stream, from, PAGE);
    if (page.some(({ data }) => isWrittenBy(pattern, (data as NumberTaken).number))) return true;
    if (page.length < PAGE) return false;
  }
}

/**
 * The series that wrote numbers by the pattern before patterns were claimed, other than `own`: found by all settings that the issuer
 * ever had, as no setting of today need tell. Throws validation_error where they are too many to look through: a pattern that is not known
 * to be free is not given away.
 */
export async function earlierWriter(
  context: Pick<InvoicingContext, 'store' | 'issuers'>,
  { tenant, own, pattern }: { tenant: Tenant; own: string; pattern: string },
): Promise<Earlier | undefined> {
  const asked = new Set([own]);
  const tried = new Set<string>();
  for await (const { series, units } of context.issuers.past(tenant.account, tenant.env)) {
    for (const { code, format } of Object.values(series)) {
      for (const place of placesIn(pattern, format, units)) {
        const setting = JSON.stringify([code, format, place.unit, place.device]);
        if (tried.has(setting)) continue;
        if (tried.size === MOST_TRIED) throw tooMany();
        tried.add(setting);
        for (const earlier of writersOf(pattern, { ...tenant, code, format, ...place })) {
          if (asked.has(earlier.stream)) continue;
          asked.add(earlier.stream);
          if (await hasWritten(context, earlier.stream, pattern)) return earlier;
        }
      }
    }
  }
  return undefined;
}

const tooMany = (): Refusal =>
  invalid({ series: ['had too many units and devices to tell whose numbers these are. Set a number format that was never set before.'] });

type Place = Pick<Earlier, 'unit' | 'device'>;
type Units = readonly { code: string; devices: readonly string[] }[];

/** Where a series of the format counts, as far as its name shows in the pattern. */
function placesIn(pattern: string, format: string, units: Units): Place[] {
  const shows = (token: string, name: string): boolean => !format.includes(token) || pattern.includes(name);
  const within = units.filter(({ code }) => shows('{unit}', code));
  if (countsByDevice(format)) {
    return within.flatMap(({ code, devices }) =>
      devices.filter((device) => shows('{device}', device)).map((device) => ({ unit: code, device })),
    );
  }
  return countsByUnit(format) ? within.map(({ code }) => ({ unit: code, device: null })) : [{ unit: null, device: null }];
}

/** Stands for a code of any length. */
const CODE = '\0';

/** The settings' series, or, as documents may name any series where its code shows, the one whose code stands in the pattern there. */
function writersOf(pattern: string, { code, format, ...of }: Tenant & Place & { code: string; format: string }): Earlier[] {
  const years = restartsYearly(format) ? yearsIn(pattern) : [''];
  return years.flatMap((year) => {
    const filled = patternOf(format, { series: CODE, year, unit: of.unit, device: of.device });
    const series = filled.includes(CODE) ? codeIn(pattern, filled) : code;
    if (filled.replaceAll(CODE, series) !== pattern) return [];
    return [{ stream: seriesStream({ ...of, code: series, format, start: 1 }, year), series, unit: of.unit, device: of.device }];
  });
}

function codeIn(pattern: string, filled: string): string {
  const times = filled.split(CODE).length - 1;
  const length = (pattern.length - filled.length) / times + 1;
  return pattern.slice(filled.indexOf(CODE), filled.indexOf(CODE) + length);
}

const yearsIn = (pattern: string): string[] => [...new Set(Array.from(pattern.matchAll(/(?=(\d{4}))/g), ([, year = '']) => year))];
