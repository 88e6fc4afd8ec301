/** What a number is made of. */
export interface NumberParts {
  series: string;
  /** Four digits; null in a series that does not restart. */
  year: string | null;
  unit: string | null;
  device: string | null;
  seq: number;
}

/** The number as people and authorities read it. Tokens: `{series} {year} {unit} {device} {seq} {seq:6}` (padded with zeros to six digits). */
export const formatNumber = (format: string, parts: NumberParts): string =>
  format.replace(/\{(series|year|unit|device|seq)(?::(\d+))?\}/g, (_, token: keyof NumberParts, width = '0') =>
    String(parts[token] ?? '').padStart(Number(width), '0'),
  );

/** The count restarts each year. */
export const restartsYearly = (format: string): boolean => format.includes('{year}');
/** Each business unit counts by itself; where a till does, its unit does. */
export const countsByUnit = (format: string): boolean => format.includes('{unit}') || countsByDevice(format);
export const countsByDevice = (format: string): boolean => format.includes('{device}');
