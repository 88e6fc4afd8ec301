import type { FontName } from './fonts.ts';

/**
 * Whose form Han characters have: by the customer's language, else by the country, else as the other characters of the document say: Japanese beside
 * kana, Korean beside Hangul, else simplified Chinese.
 */
export function hanOf(language: string | null | undefined, country: string | null | undefined, text: string): FontName {
  const [primary = '', ...subtags] = (language ?? '').toLowerCase().split('-');
  if (primary === 'ja') return 'japanese';
  if (primary === 'ko') return 'korean';
  if (primary === 'zh' || primary === 'yue') return subtags.some((one) => TRADITIONAL.has(one)) || primary === 'yue' ? 'hant' : 'hans';
  return byCountry[country?.toUpperCase() ?? ''] ?? (KANA.test(text) ? 'japanese' : HANGUL.test(text) ? 'korean' : 'hans');
}

const TRADITIONAL: ReadonlySet<string> = new Set(['hant', 'tw', 'hk', 'mo']);
const byCountry: Record<string, FontName> = {
  ...{ JP: 'japanese', KR: 'korean', KP: 'korean' },
  ...{ CN: 'hans', SG: 'hans', TW: 'hant', HK: 'hant', MO: 'hant' },
};

const scripts: readonly [FontName, RegExp][] = [
  ['arabic', /^[\p{scx=Arabic}\ufb50-\ufdff\ufe70-\ufefc]/u],
  ['hebrew', /^[\p{scx=Hebrew}\ufb1d-\ufb4f]/u],
  ['thai', /^\p{scx=Thai}/u],
  ['georgian', /^\p{scx=Georgian}/u],
  ['armenian', /^\p{scx=Armenian}/u],
  ['bengali', /^\p{scx=Bengali}/u],
  ['korean', /^\p{scx=Hangul}/u],
  ['japanese', /^[\p{scx=Hiragana}\p{scx=Katakana}]/u],
  ['hant', /^\p{scx=Bopomofo}/u],
];
const KANA = /[\p{sc=Hiragana}\p{sc=Katakana}]/u;
const HANGUL = /\p{sc=Hangul}/u;
const HAN = /^(?:\p{scx=Han}|[\u2e80-\u33ff\uff00-\uffef])/u;

/** Whether every character is in the base font, written from left to right and without marks: nothing else has to be looked at. */
export const isPlain = (text: string): boolean => PLAIN.test(text);
const PLAIN =
  /^[\n -~\xa0-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2000-\u200d\u2010-\u2027\u202f-\u205f\u2070-\u209c\u20a0-\u20c0\u2100-\u215f\u2212\ufb00-\ufb06]*$/;

/** The fonts for a character, the best first. `han`: whose form Han characters have. */
export function fontsFor(character: string, han: FontName): readonly FontName[] {
  const isHan = HAN.test(character);
  const own = isHan ? han : scripts.find(([, script]) => script.test(character))?.[0];
  if (own && !HAN_FONTS.includes(own)) return ['base', own, ...SYMBOLS];
  return own ? ['base', own, ...HAN_FONTS, ...SYMBOLS] : ['base', ...SYMBOLS, ...HAN_FONTS];
}

const SYMBOLS: readonly FontName[] = ['symbols', 'math'];
const HAN_FONTS: readonly FontName[] = ['hans', 'hant', 'japanese', 'korean'];
