export interface NumberParts {
  series: string;
  /** Four digits; null in a series that does not restart. */
  year: string | null;
  unit: string | null;
  device: string | null;
  seq: number;
}

const TOKENS = /\{(series|year|unit|device|seq)(?::(\d+))?\}/g;
/** The token of the count in a pattern. */
const SEQ = '{seq}';

/** The number as people and authorities read it. Tokens: `{series} {year} {unit} {device} {seq} {seq:6}` (padded with zeros to six digits). */
export const formatNumber = (format: string, parts: NumberParts): string =>
  format.replace(TOKENS, (_, token: keyof NumberParts, width = '0') => String(parts[token] ?? '').padStart(Number(width), '0'));

/**
 * The format with every token filled in except the count: `INV-2026-{seq}`. The padding of the count is not part of it: `7` and `007`
 * are the same count.
 */
export const patternOf = (format: string, parts: Omit<NumberParts, 'seq'>): string =>
  format.replace(TOKENS, (_, token: keyof NumberParts) => (token === 'seq' ? SEQ : (parts[token] ?? '')));

/** `#/#`, and the indexes of the parts that are the count, separated by spaces. */
export interface Shape {
  shape: string;
  places: string;
}

/**
 * Two patterns can only write the same text if they have the same shape: the pattern with `#` for each part of digits, together with the
 * places of the count. `{seq}/2026` and `2026/{seq}` share the shape `#/#`, and both could write `2026/2026`. Texts of two patterns of
 * one shape with the count at the same places differ, unless the patterns are equal. Undefined where only the count is digits: it can be
 * at no other place.
 */
export function shapeOf(pattern: string): Shape | undefined {
  const parts = partsOf(pattern);
  const shape = parts.map((part) => (part === SEQ || DIGITS.test(part) ? '#' : part));
  if (shape.filter((part) => part === '#').length < 2) return undefined;
  return { shape: shape.join(''), places: parts.flatMap((part, n) => (part === SEQ ? [n] : [])).join(' ') };
}

/** With their dividers. */
const partsOf = (text: string): string[] => text.split(/([/._-])/);
const DIGITS = /^\d+$/;

/** The count restarts each year. */
export const restartsYearly = (format: string): boolean => format.includes('{year}');
/** Each business unit has its own count; where a till has one, so has its unit. */
export const countsByUnit = (format: string): boolean => format.includes('{unit}') || countsByDevice(format);
export const countsByDevice = (format: string): boolean => format.includes('{device}');
