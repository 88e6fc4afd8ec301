import type { FontName } from './fonts.ts';
import { fontsFor, hanOf, isPlain } from './scripts.ts';
import { typefacesFor } from './typefaces.ts';

test.each<[string | null, string | null, string, FontName]>([
  ['ja', 'CN', '', 'jp'],
  ['ja-JP', null, '', 'jp'],
  ['ko', null, '', 'kr'],
  ['zh', 'JP', '', 'sc'],
  ['zh-Hant', null, '', 'tc'],
  ['zh-TW', null, '', 'tc'],
  ['zh-hk', 'CN', '', 'tc'],
  ['zh-Hans-HK', null, '', 'sc'],
  ['es', 'TW', 'ラーメン', 'tc'],
  ['es', 'JP', '', 'jp'],
  [null, 'CN', 'ラーメン', 'sc'],
  ['es', 'ES', '株式会社サンプル', 'jp'],
  ['es', 'ES', '株式会社 주식', 'kr'],
  ['es', 'ES', '株式会社', 'sc'],
  [null, null, '', 'sc'],
])('Han characters for a customer with the language %s in %s beside %j have the form %s', (language, country, text, form) =>
  expect(hanOf(language, country, text)).toBe(form),
);

test('what the base font has from left to right is plain, everything else is looked at', () => {
  for (const text of ['Ferretería Núñez & Hijos', 'Παράδειγμα', 'Пример — №', '1 234,50 €', 'one\ntwo', ''])
    expect([text, isPlain(text)]).toEqual([text, true]);
  for (const text of ['שלום', 'عربي', '語', '한', 'ไ', 'ა', 'Ա', 'ক', 'हि', 'a\u0301', '→', '★', '\u202ea'])
    expect([text, isPlain(text)]).toEqual([text, false]);
});

const samples: Record<string, string> = {
  ...{ arabic: 'شركة المثال للتجارة ٤٥٦ ؟ پچ', hebrew: 'חברת הדוגמה ₪', thaana: 'ދިވެހި', armenian: 'Օրինակ', georgian: 'მაგალითი' },
  ...{ thai: 'บริษัทน้ำผึ้ง', lao: 'ບໍລິສັດ', khmer: 'ក្រុមហ៊ុន', myanmar: 'ကုမ္ပဏီ', ethiopic: 'ድርጅት', sinhala: 'සමාගම' },
  ...{ bengali: 'উদাহরণ কোম্পানি', devanagari: 'कंपनी ।', gujarati: 'કંપની', gurmukhi: 'ਕੰਪਨੀ', oriya: 'କମ୍ପାନୀ', tamil: 'நிறுவனம்' },
  ...{ telugu: 'కంపెనీ', kannada: 'ಕಂಪನಿ', malayalam: 'കമ്പനി' },
  ...{
    simplified: '示例有限公司，。「」¥',
    traditional: '範例股份有限公司ㄅ',
    japanese: '株式会社サンプルひらがな・ー',
    korean: '예시 주식회사',
  },
  ...{ symbols: '★☂✓♥⚠☎Ⅷ①㎡', mathematical: '∑∞⇒√→', emoji: '😀🇪🇸' },
};

test.each(Object.entries(samples))('%s characters all have a glyph, in one weight at least', async (_, text) => {
  const faces = await typefacesFor(text, 'sc');
  for (const character of text) {
    if (isPlain(character) || /[\p{M}\p{Cf}]/u.test(character)) continue;
    const codePoint = character.codePointAt(0) as number;
    for (const bold of [false, true])
      expect([character, faces.of(codePoint, bold)?.shaper.nominalGlyph(codePoint)]).not.toContain(undefined);
  }
});

test.each<[string, string, FontName | undefined]>([
  ['a letter of a script', 'ب', 'arabic'],
  ['a Han character', '語', 'jp'],
  ['kana', 'の', 'jp'],
  ['full-width punctuation', '：', 'jp'],
  ['Hangul', '한', 'kr'],
  ['a symbol', '★', 'symbols'],
  ['a numeral of another block', 'Ⅷ', 'symbols'],
  ['an emoji', '😀', 'emoji'],
  ['a rare Latin letter', 'Ꜳ', undefined],
  ['a mark', '\u0301', undefined],
  ['plain text', 'é', undefined],
])('the best font for %s', (_, character, font) => expect(fontsFor(character, 'jp')[0]).toBe(font));

test('what no font has is left to the base font and its box', async () => {
  const unassigned = '\u{10fffd}';
  expect((await typefacesFor(unassigned, 'sc')).of(0x10fffd, false)).toBeUndefined();
});
