import { spawnSync } from 'node:child_process';
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

const scripts: Record<string, string> = {
  ...{
    Arabic: 'شركة المثال والمقاولات مُحَمَّد',
    Hebrew: 'חברת הדוגמה שָׁלוֹם',
    Georgian: 'მაგალითი შპს',
    Armenian: 'Օրինակ ՍՊԸ',
    Ethiopic: 'ምሳሌ ድርጅት',
  },
  ...{
    Thai: 'บริษัทตัวอย่าง จำกัด น้ำผึ้ง',
    Khmer: 'ក្រុមហ៊ុន ស្រី',
    Lao: 'ບໍລິສັດ',
    Bengali: 'উদাহরণ লিমিটেড কর্ম',
    Devanagari: 'क्षत्रिय हिन्दी कर्म',
    Tamil: 'நிறுவனம் கொ',
  },
  ...{
    Chinese: '示例有限公司，骨直角',
    Japanese: '株式会社サンプル・ひらがな',
    Korean: '예시 주식회사',
    symbols: '★ ✓ ∑ ∞ Ⅷ',
    emoji: '😀 🇪🇸',
  },
};

/** Without spaces, which readers guess, and without what parts of characters are copied as. */
const letters = (text: string): string => text.replaceAll(/[\s\u200b]/g, '').normalize();

test.each(Object.entries(scripts))('the words of %s can be copied from an invoice and a receipt', async (_, description) => {
  for (const document of [invoiceOf({ items: [line(1, undefined, { description })] }), { ...receiptOf(), notes: description }]) {
    const text = letters((await pagesOf(await pdfOf(document, null))).join(' '));
    for (const word of description.split(' ')) expect(text).toContain(letters(word));
  }
});

test('a document in several scripts has the fonts of each, in the weights that it uses', async () => {
  const invoice = invoiceOf({ items: [line(1, undefined, { description: 'שלום ไทย' })] });
  const bytes = await pdfOf({ ...invoice, customer: { ...invoice.customer!, name: 'חברה 骨' } }, null);
  expect(fontsIn(bytes).map((name) => name.replace(/-\d+-/, '-N-'))).toEqual(
    [
      'NotoSans-Bold',
      'NotoSans-Regular',
      'noto-sans-hebrew-hebrew-Bold',
      'noto-sans-hebrew-hebrew-Regular',
      'noto-sans-sc-N-Regular',
      'noto-sans-thai-thai-Regular',
    ].sort(),
  );
});

test('the same document in several scripts gives the same bytes', async () => {
  const invoice = invoiceOf({ items: [line(1, undefined, { description: Object.values(scripts).join(' ') })] });
  const [one, other] = [await pdfOf(invoice, null), await pdfOf(structuredClone(invoice), null)];
  expect(Buffer.from(one).equals(other)).toBe(true);
});

/** Modules of packages that a process has loaded which drew one document. */
function loadedFor(description: string): string[] {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { pdfOf } = await import(${JSON.stringify(new URL('pdf.ts', import.meta.url).href)});
    const { line } = await import(${JSON.stringify(new URL('../ubl/testing/documents.ts', import.meta.url).href)});
    const { invoiceOf } = await import(${JSON.stringify(new URL('testing/documents.ts', import.meta.url).href)});
    await pdfOf(invoiceOf({ items: [line(1, undefined, { description: ${JSON.stringify(description)} })] }), null);
    console.log(JSON.stringify(loaded.map((url) => url.split('/node_modules/').at(-1).split('/')[0])));`;
  const options = ['--conditions=@svc/source', '--experimental-transform-types', '--no-warnings', '--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return (JSON.parse(stdout) as string[]).filter((name) => ['harfbuzzjs', 'subset-font', 'wawoff2'].includes(name));
}

test('what lays out other scripts is loaded for a document that has one, and for no other', () => {
  expect(loadedFor('Schrauben — Βίδες — Винты, 5 °C')).toEqual([]);
  expect(loadedFor('ไทย')).toContain('harfbuzzjs');
});

test('a document in Latin, Greek and Cyrillic has the base font alone', async () => {
  const plain = invoiceOf({ items: [line(1, undefined, { description: 'Schrauben — Βίδες — Винты, 5 °C' })] });
  expect(fontsIn(await pdfOf(plain, null))).toEqual(['NotoSans-Bold', 'NotoSans-Regular']);
});

test('the form of Han characters follows the language of the customer, else the country, else what stands beside', async () => {
  const of = async (language: string | null, country: string | null, description: string): Promise<string | undefined> => {
    const invoice = invoiceOf({ items: [line(1, undefined, { description })] });
    const customer = { ...invoice.customer!, language, address: { ...invoice.customer!.address!, country: country as never } };
    const fonts = fontsIn(await pdfOf({ ...invoice, customer }, null));
    return fonts.map((name) => /noto-sans-(sc|tc|jp|kr)/.exec(name)?.[1]).find(Boolean);
  };
  expect(
    await Promise.all([
      of('zh', 'JP', '骨'),
      of('zh-TW', null, '骨'),
      of('ja', null, '骨'),
      of('ko', null, '骨'),
      of('es', 'TW', '骨'),
      of(null, null, '骨の'),
    ]),
  ).toEqual(['sc', 'tc', 'jp', 'kr', 'tc', 'jp']);
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

test.each(['Ж', 'W', '語', '한', 'ন', 'ა', 'ع'])('a name of 255 %s is there in full, on an invoice and on a receipt', async (letter) => {
  const name = letter.repeat(255);
  const invoice = invoiceOf({ items: [line(1)] });
  const customer = { ...invoice.customer!, name };
  for (const document of [
    { ...invoice, customer },
    { ...receiptOf(), customer },
  ]) {
    const pages = await pagesOf(await pdfOf(document, null));
    expect(pages.join('').split(letter).length - 1).toBeGreaterThanOrEqual(255);
  }
});

test('names and addresses that fill more than a page are there in full', async () => {
  const field = (name: string): string => `${name}${'W '.repeat(120)}end-${name}`;
  const address = { line1: field('a'), line2: field('b'), city: field('c'), postal_code: '1', region: field('d'), country: 'ES' } as never;
  const invoice = invoiceOf({ items: [line(1, undefined, { description: 'The line' })] });
  const pages = await pagesOf(
    await pdfOf(
      {
        ...invoice,
        issuer: { ...invoice.issuer!, legal_name: field('e'), trade_name: field('f'), address },
        customer: { ...invoice.customer!, name: field('g'), address },
      },
      null,
    ),
  );
  const text = pages.join(' ');
  for (const name of 'abcd') expect(text.split(`end-${name}`)).toHaveLength(3);
  for (const part of ['end-e', 'end-f', 'end-g', 'The line']) expect(text).toContain(part);
  const height = 842;
  const drawnAt = [
    ...Buffer.from(await pdfOf(invoice, null))
      .toString('latin1')
      .matchAll(/MediaBox \[0 0 [\d.]+ ([\d.]+)\]/g),
  ];
  expect(drawnAt.every(([, of]) => Math.round(Number(of)) === height)).toBe(true);
});

test.each<[string, string]>([
  ['many scripts in turn', 'a語b한ع1(ไ)ক'.repeat(250)],
  ['letters with 254 marks', `a${'\u0301'.repeat(254)} `.repeat(8)],
  ['Thai letters with many marks', `ก${'\u0e48'.repeat(30)}`.repeat(65)],
  ['one cluster', 'ক্'.repeat(1_000)],
  ['controls of direction', '\u202b(a\u202e1'.repeat(400)],
  ['isolates that are never ended', '\u2067\u2068א'.repeat(660)],
  ['brackets', '[({א'.repeat(500)],
  ['a word that fills lines', 'ع'.repeat(2_000)],
  ['words without spaces', 'กา'.repeat(1_000)],
  ['marks of Thai that no word has', '\u200dฌใฬุึ๋\u200d'.repeat(200)],
  ['line breaks', 'א\n'.repeat(100)],
])('texts of 2,000 characters are drawn: %s', async (_, text) => {
  const items = Array.from({ length: 5 }, () => line(1, undefined, { description: text.slice(0, 2_000) }));
  const bytes = await pdfOf({ ...invoiceOf({ items }), notes: text.slice(0, 2_000) }, null);
  expect(bytes.length).toBeGreaterThan(10_000);
});
