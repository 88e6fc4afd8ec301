import { statementPdfOf } from './pdf.ts';
import type { PdfStatement, StatementPart } from './statement.ts';
import { pagesOf } from './testing/text.ts';

const address = (city: string, country: string) => ({ line1: 'Quay 1', line2: null, city, postal_code: '1000', region: null, country });
const ages = { not_due: 0, d1_30: 0, d31_60: 0, d61_90: 0, over_90: 0, total: 0 };
const item = (n: number, over: object = {}) => ({
  ...{ number: `INV-2026-${String(n).padStart(6, '0')}`, issue_date: '2026-01-10', due_date: '2026-02-09', total: 1234.5, due: 34.5 },
  ...over,
});
const part = (currency: string, items = [item(1)], over: Partial<StatementPart> = {}): StatementPart => ({
  ...{ ...ages, currency, items, payable: 1234.5, total: 34.5, d1_30: 34.5 },
  ...over,
});
const statement = (over: Partial<PdfStatement> = {}): PdfStatement => ({
  ...{ livemode: true, as_of: '2026-02-28' },
  issuer: { legal_name: 'Feed Ltd', trade_name: 'Feed', tax_id: 'K1', address: address('Tirana', 'AL'), language: 'en' },
  customer: { name: 'Blue Heron', tax_id: 'L2', email: null, address: address('Athens', 'GR'), language: null },
  parts: [part('EUR')],
  ...over,
});
const textOf = async (of: PdfStatement): Promise<string> => (await pagesOf(await statementPdfOf(of))).join(' ');

test('names issuer, customer and day, and has the items of each currency with their sums and ages', async () => {
  const parts = [
    part('EUR', [item(1), item(2, { due: -5 })], { payable: 2469, total: 29.5, d1_30: 29.5 }),
    part('JPY', [item(3, { total: 100, due: 7 })]),
  ];
  const text = await textOf(statement({ parts }));
  expect(text).toMatch(
    /Feed Ltd.*1000 Tirana.*Tax number: K1.*Statement of account.*As of: 2026-02-28.*Customer Blue Heron.*1000 Athens.*L2/,
  );
  expect(text).toMatch(/EUR Number Date of issue Due date Total Open INV-2026-000001 2026-01-10 2026-02-09 1,234.50 34.50/);
  expect(text).toMatch(/INV-2026-000002 2026-01-10 2026-02-09 1,234.50 -5.00 Total EUR 2,469.00 29.50/);
  expect(text).toMatch(/Not due 0.00 1–30 days late 29.50 31–60 days late 0.00 61–90 days late 0.00 > 90 days late 0.00/);
  expect(text).toMatch(/JPY .*INV-2026-000003 2026-01-10 2026-02-09 100 7 /);
  expect(text).not.toContain('TEST');
});

test('of a customer of whom nothing is known or open it says so; a test one is marked', async () => {
  expect(await textOf(statement({ livemode: false, issuer: null, customer: null, parts: [] }))).toMatch(
    /TEST.*Statement.*Nothing is open\./,
  );
});

test.each([
  ['es', 'Estado de cuenta', '1.234,50'],
  ['sq-AL', 'Pasqyra e llogarisë', '1 234,50'],
  ['sr-Latn-ME', 'Izvod otvorenih stavki', '1.234,50'],
])('in the language of the customer, %s', async (language, title, amount) => {
  const customer = { ...statement().customer!, language };
  const text = await textOf(statement({ customer }));
  expect(text).toContain(title);
  expect(text).toContain(amount);
});

test('in any script, and with numbers that are longer than their column', async () => {
  const customer = { ...statement().customer!, name: '東京書店 مكتبة हिन्दी' };
  const number = `${'LONG'.repeat(40)}-1`;
  const text = await textOf(statement({ customer, parts: [part('EUR', [item(1, { number })])] }));
  expect(text).toContain('東京書店');
  expect(text.replaceAll(' ', '')).toContain(number.slice(-20));
});

test('thousands of items are on pages that each begin with the head of the table; the same statement gives the same bytes', async () => {
  const items = Array.from({ length: 2_000 }, (_, n) => item(n));
  const one = await statementPdfOf(statement({ parts: [part('EUR', items)] }));
  const pages = await pagesOf(one);
  expect(pages.length).toBeGreaterThan(20);
  for (const page of pages) expect(page).toContain('Number Date of issue Due date Total Open');
  expect(pages.join(' ').match(/INV-2026-\d{6}/g)).toEqual(items.map(({ number }) => number));
  expect(pages.at(-1)).toContain(`Page ${pages.length} of ${pages.length}`);
  expect(await statementPdfOf(statement({ parts: [part('EUR', items)] }))).toEqual(one);
});
