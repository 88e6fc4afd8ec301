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

/** `#/#`, and the numbers of the parts that are the count, separated by spaces. */
export interface Shape {
  shape: string;
  places: string;
}

/**
 * What patterns have to agree on that could ever write one text: `#` for each part that is digits alone, and which of these are the
 * count. `{seq}/2026` and `2026/{seq}` share the shape `#/#`, and both would come to `2026/2026`. Text that was written by two patterns of one shape with
 * the count at the same places differs, unless the patterns are the same. Undefined where nothing but the one count is digits: it can be at no
 * other place.
 */
export function shapeOf(pattern: string): Shape | undefined {
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

/** Stands for a code that is not known: 1 to 12 capitals and digits. */
export const ANY_CODE = '\0';
const LONGEST_CODE = 12;

/**
 * Whether a number of `other`, part by part, could read as one of `pattern`, whose count is divided. `other` may be of an earlier release,
 * where the count touched its neighbours, and hold `ANY_CODE`, which then may be another code at each place. Linear in both.
 */
export function couldMeet(pattern: string, other: string): boolean {
  const [wanted, parts] = [partsOf(pattern), partsOf(other)];
  return (
    wanted.length === parts.length &&
    wanted.every((part, n) => {
      const meeting = parts[n] ?? '';
      if (part === SEQ) return /^[\d\0]+$/.test(meeting.replaceAll(SEQ, '0'));
      return part === meeting || endsOf(piecesOf(meeting), part).has(part.length);
    })
  );
}

/** The codes that `pattern` shows at the first `ANY_CODE` of `other`, some of which may not meet; undefined: a count stands there, so any of digits. */
export function codesIn(pattern: string, other: string): string[] | undefined {
  const [wanted, parts] = [partsOf(pattern), partsOf(other)];
  const n = parts.findIndex((part, place) => part.includes(ANY_CODE) && wanted[place] !== SEQ);
  const text = wanted[n];
  if (text === undefined) return undefined;
  const pieces = piecesOf(parts[n] ?? '');
  const starts = endsOf(pieces.slice(0, pieces.indexOf(ANY_CODE)), text);
  return [...starts].flatMap((start) => {
    const [longest = ''] = /^[A-Z0-9]*/.exec(text.slice(start, start + LONGEST_CODE)) ?? [];
    return Array.from(longest, (_, length) => longest.slice(0, length + 1));
  });
}

/** A part in what it is made of: texts, counts, open codes. */
const piecesOf = (part: string): string[] => part.split(/(\{seq\}|\0)/).filter((piece) => piece !== '');
const RUNS: ReadonlyMap<string, RegExp> = new Map([
  [SEQ, /\d/],
  [ANY_CODE, /[A-Z0-9]/],
]);

/** Where in `text` the pieces can end, one behind the other from its beginning. All ends are followed at once, ascending: no way is tried twice. */
function endsOf(pieces: readonly string[], text: string): Set<number> {
  let ends = new Set([0]);
  for (const piece of pieces) {
    const [next, run] = [new Set<number>(), RUNS.get(piece)];
    for (const from of ends) {
      if (run) for (let at = from; at < text.length && run.test(text.charAt(at)) && !next.has(at + 1); at += 1) next.add(at + 1);
      else if (text.startsWith(piece, from)) next.add(from + piece.length);
    }
    ends = next;
  }
  return ends;
}

/** Whether a number of `format` can have the dividers of the pattern, where codes of units and tills may bring some of their own. */
export function isDividedAs(pattern: string, format: string): boolean {
  const [wanted, own] = [dividersOf(pattern), dividersOf(format)];
  let met = 0;
  for (const divider of wanted) if (divider === own[met]) met += 1;
  return met === own.length;
}

/** With what divides them. */
const partsOf = (text: string): string[] => text.split(/([/._-])/);
const dividersOf = (text: string): string[] => text.match(/[/._-]/g) ?? [];
const DIGITS = /^\d+$/;

/** The count restarts each year. */
export const restartsYearly = (format: string): boolean => format.includes('{year}');
/** Each business unit counts by itself; where a till does, its unit does. */
export const countsByUnit = (format: string): boolean => format.includes('{unit}') || countsByDevice(format);
export const countsByDevice = (format: string): boolean => format.includes('{device}');
