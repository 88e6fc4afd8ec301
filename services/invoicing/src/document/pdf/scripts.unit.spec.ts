import PDFDocument from 'pdfkit';
import { font, fontFile, type FontName } from './fonts.ts';
import { fontsFor, hanOf, isPlain } from './scripts.ts';

test.each<[string | null, string | null, string, FontName]>([
  ['ja', 'CN', '', 'japanese'],
  ['ja-JP', null, '', 'japanese'],
  ['ko', null, '', 'korean'],
  ['zh', 'JP', '', 'hans'],
  ['zh-Hant', null, '', 'hant'],
  ['zh-TW', null, '', 'hant'],
  ['zh-hk', 'CN', '', 'hant'],
  ['zh-Hans-HK', null, '', 'hant'],
  ['es', 'TW', 'ラーメン', 'hant'],
  ['es', 'JP', '', 'japanese'],
  [null, 'CN', 'ラーメン', 'hans'],
  ['es', 'ES', '株式会社サンプル', 'japanese'],
  ['es', 'ES', '株式会社 주식', 'korean'],
  ['es', 'ES', '株式会社', 'hans'],
  [null, null, '', 'hans'],
])('Han characters for a customer with the language %s in %s beside %j have the form %s', (language, country, text, form) =>
  expect(hanOf(language, country, text)).toBe(form),
);

test('what the base font has from left to right is plain, everything else is looked at', () => {
  for (const text of ['Ferretería Núñez & Hijos', 'Παράδειγμα', 'Пример — №', '1 234,50 €', 'one\ntwo', ''])
    expect([text, isPlain(text)]).toEqual([text, true]);
  for (const text of ['שלום', 'عربي', '語', '한', 'ไ', 'ა', 'Ա', 'ক', 'हि', 'a\u0301', '→', '★', '\u202ea'])
    expect([text, isPlain(text)]).toEqual([text, false]);
});

const samples: Record<string, [text: string, FontName]> = {
  arabic: ['شركة المثال للتجارة ٤٥٦ ؟', 'arabic'],
  hebrew: ['חברת הדוגמה', 'hebrew'],
  thai: ['บริษัทตัวอย่างน้ำผึ้ง', 'thai'],
  georgian: ['მაგალითი', 'georgian'],
  armenian: ['Օրինակ', 'armenian'],
  bengali: ['উদাহরণ কোম্পানি', 'bengali'],
  simplified: ['示例有限公司，。', 'hans'],
  traditional: ['範例股份有限公司', 'hant'],
  japanese: ['株式会社サンプルひらがな・ー', 'japanese'],
  korean: ['예시 주식회사', 'korean'],
  symbols: ['★☂✓♥', 'symbols'],
  mathematical: ['∑∞⇒√', 'math'],
};

test.each(Object.entries(samples))('%s characters all have a glyph in the fonts that are asked for them', (_, [text, expected]) => {
  const pdf = new PDFDocument({ font: '' });
  const has = (name: FontName, character: string): boolean => {
    const path = fontFile(name, false);
    pdf.registerFont(path, font(path));
    const { _font } = pdf.font(path) as unknown as { _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } } };
    return _font.font.hasGlyphForCodePoint(character.codePointAt(0) as number);
  };
  const han = ['hans', 'hant', 'japanese', 'korean'].includes(expected) ? expected : 'hans';
  const chosen = [...text].map((character) => fontsFor(character, han).find((name) => has(name, character)));
  expect(chosen).not.toContain(undefined);
  expect(chosen).toContain(expected);
});
