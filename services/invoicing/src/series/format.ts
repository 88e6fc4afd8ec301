/** What a number is made of. */
export interface NumberParts {
  series: string;
  /** Four digits; null in a series that does not restart. */
  year: string | null;
  unit: string | null;
  device: string | null;
  seq: number;
}

const TOKENS = /\{(series|year|unit|device|seq)(?::(\d+))?\}/g;
/** Stands for the count in a pattern. */
const SEQ = '{seq}';

/** The number as people and authorities read it. Tokens: `{series} {year} {unit} {device} {seq} {seq:6}` (padded with zeros to six digits). */
export const formatNumber = (format: string, parts: NumberParts): string =>
  format.replace(TOKENS, (_, token: keyof NumberParts, width = '0') => String(parts[token] ?? '').padStart(Number(width), '0'));

/**
 * The format with everything but the count filled in: `INV-2026-{seq}`. How wide the count is padded is no part of it: `7` and `007`
 * differ, but both say seven.
 */
export const patternOf = (format: string, parts: Omit<NumberParts, 'seq'>): string =>
  format.replace(TOKENS, (_, token: keyof NumberParts) => (token === 'seq' ? SEQ : (parts[token] ?? '')));

/**
 * The count stands between two characters of `/ - . _`, or at an end. Where it touched a letter, a digit or another token, two patterns
 * could write the same number: `{series}{seq}` gives `A` its eleventh as it gives `A1` its first.
 */
export const isDivided = (format: string): boolean =>
  format.split(/[/._-]/).every((part) => !part.includes('{seq') || /^\{seq(?::\d+)?\}$/.test(part));

/**
 * What patterns have to agree on that could ever write one text: `#` for each part that is digits alone, and which of these are the
 * count. `{seq}/2026` and `2026/{seq}` share the shape `#/#`, and both would come to `2026/2026`. Text that was written by two patterns of one shape with
 * the count at the same places differs, unless the patterns are the same. Undefined where nothing but the one count is digits: it can be at no
 * other place.
 */
export function shapeOf(pattern: string): { shape: string; places: string } | undefined {
  const parts = partsOf(pattern);
  const shape = parts.map((part) => (part === SEQ || DIGITS.test(part) ? '#' : part));
  const places = parts.flatMap((part, n) => (part === SEQ ? [n] : []));
  return shape.filter((part) => part === '#').length > 1 ? { shape: shape.join(''), places: places.join(' ') } : undefined;
}

/** Whether a number can be of the pattern, whose count is divided. */
export function isWrittenBy(pattern: string, number: string): boolean {
  const [wanted, parts] = [partsOf(pattern), partsOf(number)];
  return wanted.length === parts.length && wanted.every((part, n) => (part === SEQ ? DIGITS.test(parts[n] ?? '') : part === parts[n]));
}

/** With what divides them. */
const partsOf = (text: string): string[] => text.split(/([/._-])/);
const DIGITS = /^\d+$/;

/** The count restarts each year. */
export const restartsYearly = (format: string): boolean => format.includes('{year}');
/** Each business unit counts by itself; where a till does, its unit does. */
export const countsByUnit = (format: string): boolean => format.includes('{unit}') || countsByDevice(format);
export const countsByDevice = (format: string): boolean => format.includes('{device}');
