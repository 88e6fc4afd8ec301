import { SCRIPTS, type FontName } from './fonts.ts';

/**
 * Whose form Han characters have: by the customer's language, else by the country, else as the other characters of the document say: Japanese beside
 * kana, Korean beside Hangul, else simplified Chinese.
 */
export function hanOf(language: string | null | undefined, country: string | null | undefined, text: string): FontName {
  const [primary = '', ...subtags] = (language ?? '').toLowerCase().split('-');
  if (primary === 'ja') return 'jp';
  if (primary === 'ko') return 'kr';
  if (primary === 'yue') return 'tc';
  if (primary === 'zh') {
    const script = subtags.find((one) => one === 'hans' || one === 'hant');
    return script === 'hant' || (!script && subtags.some((one) => TRADITIONAL.has(one))) ? 'tc' : 'sc';
  }
  return byCountry[country?.toUpperCase() ?? ''] ?? (KANA.test(text) ? 'jp' : HANGUL.test(text) ? 'kr' : 'sc');
}

const TRADITIONAL: ReadonlySet<string> = new Set(['tw', 'hk', 'mo']);
const byCountry: Record<string, FontName> = {
  ...{ JP: 'jp', KR: 'kr', KP: 'kr' },
  ...{ CN: 'sc', SG: 'sc', TW: 'tc', HK: 'tc', MO: 'tc' },
};

const KANA = /[\p{sc=Hiragana}\p{sc=Katakana}]/u;
const HANGUL = /\p{sc=Hangul}/u;
const HAN = /[\p{scx=Han}\p{sc=Hiragana}\p{sc=Katakana}\u2e80-\u33ff\uff00-\uffef]/u;
const EMOJI = /\p{Emoji_Presentation}/u;
const scripts = SCRIPTS.map((name) => ({ name, of: new RegExp(`\\p{scx=${name.replace(/^./, (first) => first.toUpperCase())}}`, 'u') }));

/** Whether every character is in the base font, written from left to right and without marks: nothing else has to be looked at. */
export const isPlain = (text: string): boolean => PLAIN.test(text);
const PLAIN =
  /^[\n -~\xa0-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2000-\u200d\u2010-\u2027\u202f-\u205f\u2070-\u209c\u20a0-\u20c0\u2100-\u215f\u2212\ufb00-\ufb06]*$/;
/** What the base font has besides; marks are drawn in the font of what they stand on. */
const IN_BASE = /[[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]--\p{N}]|[\p{M}\p{Cf}\p{Zs}]/v;

/** The fonts that may have a character, the best first; none where it is the base font's. `han`: whose form Han characters have. */
export function fontsFor(character: string, han: FontName): readonly FontName[] {
  if (isPlain(character)) return [];
  const own = scripts.filter(({ of }) => of.test(character)).map(({ name }) => name);
  if (own.length > 0) return own;
  if (HANGUL.test(character)) return ['kr', ...EAST];
  if (HAN.test(character)) return [han, ...EAST, ...SYMBOLS];
  if (IN_BASE.test(character)) return [];
  return EMOJI.test(character) ? ['emoji', ...SYMBOLS] : [...SYMBOLS, ...EAST, 'emoji'];
}

const SYMBOLS: readonly FontName[] = ['symbols', 'pictures', 'math'];
const EAST: readonly FontName[] = ['sc', 'jp', 'tc', 'kr'];
