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
  return shape.filter((part) => part === '#').length > 1 ? { shape: shape.join(''), places: placesIn(pattern) } : undefined;
}

/** Which parts of a pattern are the count. */
export const placesIn = (pattern: string): string =>
  partsOf(pattern)
    .flatMap((part, n) => (part === SEQ ? [n] : []))
    .join(' ');

/** The pattern with each part of digits as a count: what could be of its shape. */
export const openOf = (pattern: string): string =>
  partsOf(pattern)
    .map((part) => (DIGITS.test(part) ? SEQ : part))
    .join('');

/** Whether a number can be of the pattern, whose count is divided. */
export const isWrittenBy = (pattern: string, number: string): boolean => countIn(pattern, number) !== undefined;

/** The count that the number has, read as one of the pattern; undefined: it cannot be one. */
export function countIn(pattern: string, number: string): number | undefined {
  const [wanted, parts] = [partsOf(pattern), partsOf(number)];
  const reads =
    wanted.length === parts.length && wanted.every((part, n) => (part === SEQ ? DIGITS.test(parts[n] ?? '') : part === parts[n]));
  if (!reads) return undefined;
  const counts = new Set(parts.filter((_, n) => wanted[n] === SEQ).map(Number));
  const [count] = counts;
  return counts.size === 1 ? count : undefined;
}

/** Stands for a code that is not known: capitals and digits. */
export const ANY_CODE = '\0';

/**
 * Whether a number of `other`, part by part, could read as one of `pattern`, whose count is divided. `other` may be of an earlier release,
 * where the count touched its neighbours, and hold `ANY_CODE`; `code` is then what stands there, null where that is left open.
 */
export function couldMeet(pattern: string, other: string): { code: string | null } | undefined {
  const [wanted, parts] = [partsOf(pattern), partsOf(other)];
  let code: string | null = null;
  const meets = wanted.every((part, n) => {
    const meeting = parts[n] ?? '';
    if (part === SEQ) return /^[\d\0]+$/.test(meeting.replaceAll(SEQ, '0'));
    if (part === meeting) return true;
    const found = readerOf(meeting)?.exec(part);
    code ??= found?.[1] ?? null;
    return found !== undefined && found !== null;
  });
  return wanted.length === parts.length && meets ? { code } : undefined;
}

/** For the texts that a part with a count or an open code can be; undefined: it has neither. */
function readerOf(part: string): RegExp | undefined {
  if (!part.includes(SEQ) && !part.includes(ANY_CODE)) return undefined;
  const marked = part.replace(ANY_CODE, CODE).replaceAll(ANY_CODE, SAME).replaceAll(SEQ, COUNT);
  const source = marked.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`^${source.replace(CODE, '([A-Z0-9]+)').replaceAll(SAME, '\\1').replaceAll(COUNT, '\\d+')}$`);
}
/** Control characters, which no pattern has. */
const [CODE, SAME, COUNT] = ['\u0001', '\u0002', '\u0003'];

/** With what divides them. */
const partsOf = (text: string): string[] => text.split(/([/._-])/);
const DIGITS = /^\d+$/;

/** The count restarts each year. */
export const restartsYearly = (format: string): boolean => format.includes('{year}');
/** Each business unit counts by itself; where a till does, its unit does. */
export const countsByUnit = (format: string): boolean => format.includes('{unit}') || countsByDevice(format);
export const countsByDevice = (format: string): boolean => format.includes('{device}');
