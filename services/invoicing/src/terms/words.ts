import { foldCase } from '@svc/kernel';

/** Characters of a word that count. */
const LONGEST = 40;
/** Letters, digits and the marks on them. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The first distinct words of a text, folded: `Große Gasse & Co.` has `grosse`, `gasse` and `co`. */
export function wordsOf(text: string, most: number): string[] {
  const words = foldCase(text).match(WORD) ?? [];
  return [...new Set(words.map(cut))].slice(0, most);
}

const cut = (word: string): string => (word.length > LONGEST ? [...word].slice(0, LONGEST).join('') : word);

/** Greater than every text with the prefix: the last code point. */
const LAST = '\u{10ffff}';

/** The condition of a field that begins so. */
export const beginsWith = (prefix: string): { $gte: string; $lt: string } => ({ $gte: prefix, $lt: prefix + LAST });
