import { inflateSync } from 'node:zlib';
import { line, vat } from '../ubl/testing/documents.ts';
import { pdfOf } from './pdf.ts';
import { invoiceOf, receiptOf } from './testing/documents.ts';
import { pagesOf } from './testing/text.ts';

const fontsIn = (bytes: Uint8Array): string[] =>
  [
    ...new Set(
      Array.from(
        Buffer.from(bytes)
          .toString('latin1')
          .matchAll(/\/FontName \/\w+\+([\w-]+)/g),
        ([, name]) => name as string,
      ),
    ),
  ].sort();

/** Of literal strings of PDF. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([nrtbf()\\])/g, (_, of: string) => ({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' })[of] ?? of);

const scripts: Record<string, string> = {
  Georgian: 'მაგალითი შპს',
  Armenian: 'Օրինակ ՍՊԸ',
  Chinese: '示例有限公司，骨直角',
  Japanese: '株式会社サンプル・ひらがな',
  Korean: '예시 주식회사',
  symbols: '★ ✓ ∑ ∞',
};

test.each(Object.entries(scripts))('an invoice and a receipt have %s as text', async (_, description) => {
  const joined = (pages: string[]): string => pages.join(' ').replace(/\s+/g, '');
  for (const document of [invoiceOf({ items: [line(1, undefined, { description })] }), { ...receiptOf(), notes: description }])
    expect(joined(await pagesOf(await pdfOf(document, null)))).toContain(description.replace(/\s+/g, ''));
});

test.each(['บริษัทตัวอย่าง จำกัด น้ำผึ้ง', 'উদাহরণ কোম্পানি লিমিটেড'])(
  'glyphs that are in another order have the text beside them: %s',
  async (description) => {
    const bytes = Buffer.from(await pdfOf(invoiceOf({ items: [line(1, undefined, { description })] }), null));
    const streams = bytes
      .toString('latin1')
      .split('endstream')
      .flatMap((part) => {
        const at = part.indexOf('stream\n');
        return part.includes('/FlateDecode') && at >= 0 ? [inflateSync(Buffer.from(part.slice(at + 7), 'latin1')).toString('latin1')] : [];
      });
    const words = description.split(' ').map((word) => Buffer.from(word, 'utf16le').swap16().toString('latin1').slice(2));
    for (const word of words) expect(unescaped(streams.join(''))).toContain(word);
  },
);

test('Arabic and Hebrew have their fonts, and the letters of each word', async () => {
  const bytes = await pdfOf(invoiceOf({ items: [line(1, undefined, { description: 'شركة المثال חברת הדוגמה' })] }), null);
  expect(fontsIn(bytes)).toEqual(['NotoNaskhArabic', 'NotoSans-Bold', 'NotoSans-Regular', 'NotoSansHebrew-Regular'].sort());
});

test('a document in Latin, Greek and Cyrillic has the base font alone', async () => {
  const plain = invoiceOf({ items: [line(1, undefined, { description: 'Schrauben — Βίδες — Винты, 5 °C' })] });
  expect(fontsIn(await pdfOf(plain, null))).toEqual(['NotoSans-Bold', 'NotoSans-Regular']);
});

test('the form of Han characters follows the language of the customer', async () => {
  const of = async (language: string | null, description: string): Promise<string[]> => {
    const invoice = invoiceOf({ items: [line(1, undefined, { description })] });
    return fontsIn(await pdfOf({ ...invoice, customer: { ...invoice.customer!, language } }, null)).filter(
      (name) => !/^NotoSans-/.test(name),
    );
  };
  const [simplified, traditional, japanese, kana, korean] = await Promise.all([
    of('zh', '骨'),
    of('zh-TW', '骨'),
    of('ja', '骨'),
    of(null, '骨の'),
    of('ko', '骨'),
  ]);
  expect(japanese).toEqual(kana);
  expect(new Set([simplified, traditional, japanese, korean].map(String)).size).toBe(4);
});

test('line breaks of descriptions and notes are printed, empty lines too', async () => {
  const description = 'One\nTwo\n\nThree';
  const [shown = ''] = await pagesOf(
    await pdfOf({ ...invoiceOf({ items: [line(1, undefined, { description })] }), notes: 'First\nSecond' }, null),
  );
  expect(shown).toMatch(/One[\s\S]*\n?\s*Two\s+Three/);
  const heights = async (text: string): Promise<number> => {
    const bytes = await pdfOf({ ...receiptOf(), notes: text }, null);
    return Number(/\/MediaBox \[0 0 [\d.]+ ([\d.]+)\]/.exec(Buffer.from(bytes).toString('latin1'))?.[1]);
  };
  expect((await heights('a\nb\n\nc')) - (await heights('a b c'))).toBeCloseTo(3 * 7.5 * 1.4, 1);
});

test('a breakdown that runs over a page repeats its head', async () => {
  const items = Array.from({ length: 60 }, (_, n) => line(1, [vat(n + 1)]));
  const pages = await pagesOf(await pdfOf(invoiceOf({ items }), null));
  const withRows = pages.filter((page) => /VAT \d+ %/.test(page.replaceAll('\u00a0', ' ')));
  expect(withRows.length).toBeGreaterThan(1);
  for (const page of withRows) expect(page).toMatch(/Base\s+Amount/);
});

test.each(['Ж', '語', '한', 'ন', 'ა'])('a name of 255 %s is there in full', async (letter) => {
  const name = letter.repeat(255);
  const invoice = invoiceOf({ items: [line(1)] });
  const pages = await pagesOf(await pdfOf({ ...invoice, customer: { ...invoice.customer!, name } }, null));
  expect(pages.join('').split(letter).length - 1).toBeGreaterThanOrEqual(255);
});

test.each<[string, string]>([
  ['many scripts in turn', 'a語b한ع1(ไ)'.repeat(250)],
  ['letters with 254 marks', `a${'\u0301'.repeat(254)} `.repeat(8)],
  ['controls of direction', '\u202b(a\u202e1'.repeat(400)],
  ['a word that fills lines', 'ع'.repeat(2_000)],
  ['marks of Thai that no word has', '\u200dฌใฬุึ๋\u200d'.repeat(200)],
])('texts of 2,000 characters are drawn: %s', async (_, text) => {
  const items = Array.from({ length: 5 }, () => line(1, undefined, { description: text.slice(0, 2_000) }));
  const bytes = await pdfOf({ ...invoiceOf({ items }), notes: text.slice(0, 2_000) }, null);
  expect(bytes.length).toBeGreaterThan(10_000);
});
