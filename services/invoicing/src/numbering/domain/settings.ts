import type { SeriesKind } from '@svc/contracts/issuer/series';
import { countsByDevice, countsByUnit } from './format.ts';

/** The numbering of one kind of document. */
export interface SeriesSettings {
  /** `[A-Z0-9]{1,12}` */
  code: string;
  /** Tokens `{series} {year} {unit} {device} {seq} {seq:6}`. With `{year}` the count restarts each year. */
  format: string;
  /** The first number; can be set until it is taken. */
  start: number;
}

/** What numbers depend on, as an issuer has set it. */
export interface NumberSettings {
  series: Readonly<Record<SeriesKind, SeriesSettings>>;
  /** `devices`: codes of its tills. */
  units: readonly { code: string; devices: readonly string[] }[];
  /** IANA: the time zone of "today" and of number years. */
  time_zone: string;
}

/** The units and devices that a format counts by; of a format that counts by neither, one place without them. */
export function placesOf(format: string, { units }: Pick<NumberSettings, 'units'>): { unit: string | null; device: string | null }[] {
  if (countsByDevice(format)) return units.flatMap(({ code, devices }) => devices.map((device) => ({ unit: code, device })));
  if (countsByUnit(format)) return units.map(({ code }) => ({ unit: code, device: null }));
  return [{ unit: null, device: null }];
}
