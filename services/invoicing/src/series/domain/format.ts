/** The parts of a number. */
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

/**
 * The count stands between two characters of `/ - . _`, or at an end. If it touched a letter, a digit or another token, two patterns
 * could write the same number: `{series}{seq}` gives series `A` for its eleventh what it gives `A1` for its first.
 */
export const isDivided = (format: string): boolean =>
  format.split(/[/._-]/).every((part) => !part.includes('{seq') || /^\{seq(?::\d+)?\}$/.test(part));

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
  return shape.filter((part) => part === '#').length > 1 ? { shape: shape.join(''), places: placesIn(pattern) } : undefined;
}

/** The indexes of the parts that are the count. */
export const placesIn = (pattern: string): string =>
  partsOf(pattern)
    .flatMap((part, n) => (part === SEQ ? [n] : []))
    .join(' ');

/** The pattern with a count for each part of digits: the most general one of its shape. */
export const openOf = (pattern: string): string =>
  partsOf(pattern)
    .map((part) => (DIGITS.test(part) ? SEQ : part))
    .join('');

/** Whether a number matches the pattern, whose count is divided from its neighbours. */
export const isWrittenBy = (pattern: string, number: string): boolean => countIn(pattern, number) !== undefined;

/** The count in the number, read by the pattern; undefined: the number does not match it. */
export function countIn(pattern: string, number: string): number | undefined {
  const [wanted, parts] = [partsOf(pattern), partsOf(number)];
  const reads =
    wanted.length === parts.length && wanted.every((part, n) => (part === SEQ ? DIGITS.test(parts[n] ?? '') : part === parts[n]));
  if (!reads) return undefined;
  const counts = new Set(parts.filter((_, n) => wanted[n] === SEQ).map(Number));
  const [count] = counts;
  return counts.size === 1 ? count : undefined;
}

/** Stands for an unknown code: 1 to 12 capitals and digits. */
export const ANY_CODE = '\0';
const LONGEST_CODE = 12;

/**
 * Whether a number of `other` could, part by part, match `pattern`, whose count is divided. `other` may be of an earlier release,
 * where the count touches its neighbours, and contain `ANY_CODE`, which may be another code at each place. Linear in both.
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

/**
 * The candidate codes in `pattern` at the first `ANY_CODE` of `other`, some of which may not match; undefined: a count stands there, so the code may be any
 * digits.
 */
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

/** A part as a list of texts, counts and unknown codes. */
const piecesOf = (part: string): string[] => part.split(/(\{seq\}|\0)/).filter((piece) => piece !== '');
const RUNS: ReadonlyMap<string, RegExp> = new Map([
  [SEQ, /\d/],
  [ANY_CODE, /[A-Z0-9]/],
]);

/** The indexes of `text` at which the sequence of pieces can end. All are followed together in ascending order, so that no combination is tried twice. */
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

/** Whether a number of `format` can have the dividers of the pattern; codes of units and tills may contain some. */
export function isDividedAs(pattern: string, format: string): boolean {
  const [wanted, own] = [dividersOf(pattern), dividersOf(format)];
  let met = 0;
  for (const divider of wanted) if (divider === own[met]) met += 1;
  return met === own.length;
}

/** With their dividers. */
const partsOf = (text: string): string[] => text.split(/([/._-])/);
const dividersOf = (text: string): string[] => text.match(/[/._-]/g) ?? [];
const DIGITS = /^\d+$/;

/** The count restarts each year. */
export const restartsYearly = (format: string): boolean => format.includes('{year}');
/** Each business unit has its own count; where a till has one, so has its unit. */
export const countsByUnit = (format: string): boolean => format.includes('{unit}') || countsByDevice(format);
export const countsByDevice = (format: string): boolean => format.includes('{device}');
