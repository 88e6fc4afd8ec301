/** What numbers have before the digits at their end: `INV-2026-` of `INV-2026-000001`. */
const headOf = (number: string): string => number.replace(/\d+$/, '');

/** Numbers in capitals as they are compared. */
const folded = (text: string): string => text.toUpperCase();

export const hasPart = (number: string, part: string): boolean => folded(number).includes(folded(part));

/** The digits at the end of a text that begins with something else, by which a list finds numbers that end so; undefined: there are none. */
export const digitsAtEnd = (text: string): string | undefined => /\D(\d{1,15})$/.exec(text)?.[1];

/** Digits that a list finds anywhere in the sequence of a number, as its `q`; undefined: too few say too little. */
export const anywhere = (text: string): string | undefined => (/^\d{3,15}$/.test(text) ? `*${text}*` : undefined);

const YEAR = /(?<!\d)20\d\d(?!\d)/;

/** The numbers that are known, and what they would be in the year that a part names: a count goes on from year to year. */
export function inYearOf(part: string, known: readonly string[]): string[] {
  const year = YEAR.exec(part)?.[0];
  return year === undefined ? [...known] : [...new Set([...known, ...known.map((number) => number.replace(YEAR, year))])];
}

/**
 * Beginnings of numbers that a text may be the middle of, by the numbers that are known: `V-2026-0001` of INV-2026-… is `INV-2026-0001`. At most one a head and place
 * of the text in it. [] for a text that begins in the digits at the end.
 */
export function beginningsOf(part: string, known: readonly string[], most: number): string[] {
  const found = new Set<string>();
  for (const head of new Set(known.map(headOf)))
    for (let at = 1; at < head.length && found.size < most; at += 1) {
      const tail = head.slice(at);
      if (part.length > tail.length && folded(part).startsWith(folded(tail))) found.add(head.slice(0, at) + part);
    }
  return [...found];
}
