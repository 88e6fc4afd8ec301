import { decimal, sum, toText } from '@svc/kernel';
import { line, preceding, vat } from '../ubl/testing/documents.ts';
import type { PdfDocument } from './document.ts';
import { pdfOf } from './pdf.ts';
import { invoiceOf, longInvoice, receiptOf } from './testing/documents.ts';
import { pagesOf } from './testing/text.ts';

const textOf = async (document: PdfDocument): Promise<string> =>
  (await pagesOf(await pdfOf(document, 'corrects' in document && document.corrects ? preceding : null))).join(' ');

test('the same document gives the same bytes, another version others', async () => {
  const bytesOf = async (document: PdfDocument) => Buffer.from(await pdfOf(document, null));
  const documents = [longInvoice(80), receiptOf()];
  const made = await Promise.all(documents.map(bytesOf));
  await new Promise((resolve) => setTimeout(resolve, 1_100)); // what a file says of the time it was made has seconds
  const again = await Promise.all(documents.map((document) => bytesOf(structuredClone(document))));
  expect(again.map((bytes, n) => bytes.equals(made[n] as Buffer))).toEqual([true, true]);
  for (const [n, document] of documents.entries())
    expect((made[n] as Buffer).equals(await bytesOf({ ...document, notes: 'Another.' }))).toBe(false);
});

test('an invoice tells who, what, how much, why no tax is due, and where it is registered', async () => {
  const text = await textOf(
    invoiceOf({
      items: [
        line(1234.5, [vat(21)], { quantity: 3, unit: 'KGM', description: 'Iron', discounts: [{ percent: 10, reason: 'Loyalty' }] }),
        line(10, [vat(0, { code: 'E', exemption_reason: 'Article 20.1 of Law 37/1992' })]),
        line(100, [vat(21, { surcharge: 5.2 }), vat(15, { category: 'IRPF', retained: true })]),
      ],
      discounts: [{ amount: 5 }],
    }),
  );
  for (const part of [
    ...['Ferretería Núñez & Hijos, S.L.', 'Παράδειγμα Α.Ε.', 'Tax number: B58378431', '10563 Αθήνα', 'INV-2026-000007', '2026-11-20'],
    ...['Iron', '3 kg', '1,234.50', '21 %', '3,333.15', 'Discount: -370.35 (Loyalty)', '0 % (E)', '21 % + 5.2 % IRPF -15 %'],
    ...['Total without tax', 'Total EUR', 'Withheld', 'To pay EUR', 'VAT 21 %', 'Exempt: Article 20.1 of Law 37/1992', 'Thank you.'],
    ...['Fiscal code: 8f1c5c1e-5d5b-4f0e-9d0e-2f6f3f0b9a11', 'Verify this document', 'https://verify.example/einvoice?'],
  ])
    expect(text).toContain(part);
});

describe('language', () => {
  test.each([
    ['es-ES', null, 'Factura', '20/11/2026', '1.000,50'],
    ['sq', null, 'Faturë', '20.11.2026', '1 000,50'],
    ['sr-Latn', null, 'Faktura', '20.11.2026.', '1.000,50'],
    ['sr-ME', null, 'Faktura', '20.11.2026.', '1.000,50'],
    ['en-GB', 'es', 'Invoice', '2026-11-20', '1,000.50'],
    ['el', 'es', 'Factura', '20/11/2026', '1.000,50'],
    ['sr', 'sq', 'Faturë', '20.11.2026', '1 000,50'],
    [null, 'sr-Latn-RS', 'Faktura', '20.11.2026.', '1.000,50'],
    ['no tag', 'fr', 'Invoice', '2026-11-20', '1,000.50'],
    [null, null, 'Invoice', '2026-11-20', '1,000.50'],
  ])('of a customer with %s and an issuer with %s: %s', async (customer, issuer, title, day, amount) => {
    const invoice = invoiceOf({ items: [line(1000.5)] }, customer);
    const text = await textOf({ ...invoice, issuer: invoice.issuer && { ...invoice.issuer, language: issuer } });
    for (const part of [title, day, amount]) expect(text).toContain(part);
  });

  test('the currency says how many decimals there are', async () => {
    expect(await textOf(invoiceOf({ currency: 'JPY', items: [line(15000)] }))).toContain('Total JPY 18,150 ');
  });
});

describe('marks', () => {
  const live = invoiceOf();
  test.each([
    ['of a live invoice', live, []],
    ['of a test', { ...live, livemode: false }, ['TEST']],
    ['of a voided one', { ...live, status: 'voided' as const }, ['VOIDED']],
    ['of a draft', { ...live, number: null, issued_at: null, fiscal: null, status: 'draft' as const }, ['DRAFT']],
    ['of a voided draft in test', { ...live, number: null, livemode: false, status: 'voided' as const }, ['DRAFT', 'VOIDED', 'TEST']],
    ['of a receipt', { ...receiptOf({ livemode: false }), status: 'voided' as const }, ['ANULADO', 'PRUEBA']],
  ])('%s', async (_, document, marks) => {
    const text = await textOf(document);
    expect(text.match(/DRAFT|VOIDED|TEST|BORRADOR|ANULADO|PRUEBA/g) ?? []).toEqual(marks);
  });

  test('stand on every page', async () => {
    const pages = await pagesOf(await pdfOf(longInvoice(100, { livemode: false }), null));
    expect(pages.filter((page) => page.includes('TEST'))).toHaveLength(pages.length);
  });
});

describe('500 lines', () => {
  const invoice = longInvoice(500);

  test('go over pages; each page ends with the sum of what stands on it and before, and the next begins with it', async () => {
    const pages = await pagesOf(await pdfOf(invoice, null));
    expect(pages.length).toBeGreaterThan(8);
    const carried = pages.map((page) => /Carried forward ([\d,.]+)/.exec(page)?.[1]);
    const brought = pages.map((page) => /Brought forward ([\d,.]+)/.exec(page)?.[1]);
    const lastLines = pages.map((page) => Number([...page.matchAll(/Article (\d+) of/g)].at(-1)?.[1]));
    const turned = carried.filter((amount) => amount !== undefined).length;
    expect(turned).toBeGreaterThan(8);
    for (let n = 0; n < turned; n += 1) {
      const total = sum(invoice.items.slice(0, lastLines[n]).map(({ amount }) => decimal(String(amount))));
      expect([carried[n]?.replaceAll(',', ''), brought[n + 1]]).toEqual([withCents(toText(total)), carried[n]]);
    }
    expect(lastLines[turned]).toBe(500);
    expect(pages.map((page) => page.includes(`of ${pages.length}`))).not.toContain(false);
  });

  const withCents = (text: string): string => (text.includes('.') ? text.padEnd(text.indexOf('.') + 3, '0') : `${text}.00`);

  test('none is lost, whatever the height of each', async () => {
    const items = Array.from({ length: 120 }, (_, n) =>
      line(1, [vat(21)], { description: `Start${n} ${'lorem ipsum '.repeat((n * 37) % 160)}end${n}.` }),
    );
    const text = await textOf(invoiceOf({ items }));
    const [starts, ends] = [text.match(/Start\d+/g), text.match(/end\d+\./g)];
    expect(starts).toEqual(items.map((_, n) => `Start${n}`));
    expect(ends).toEqual(items.map((_, n) => `end${n}.`));
  });
});

test('a word that is longer than a line is divided, and no character is lost', async () => {
  const word = Array.from({ length: 400 }, (_, n) => String.fromCodePoint(0x410 + (n % 32))).join('');
  expect((await textOf(invoiceOf({ items: [line(1, [vat(21)], { description: word })] }))).replaceAll(' ', '')).toContain(word);
});

test('a line separator is a space: it neither joins words nor begins a line', async () => {
  const description = 'Tea\u2028green\u2029loose';
  expect(await textOf(invoiceOf({ items: [line(1, [vat(21)], { description })] }))).toContain('Tea green loose');
  const pages = await pagesOf(await pdfOf(invoiceOf({ notes: `${'\u2028'.repeat(1999)}a` }), null));
  expect(pages).toHaveLength(1);
});

test('where no line fits below the head, the first page carries no sum', async () => {
  const name = 'X'.repeat(255);
  const invoice = invoiceOf({ items: [line(1, [vat(21)], { description: 'long '.repeat(240) }), line(2)] });
  const issuer = invoice.issuer && { ...invoice.issuer, legal_name: name, trade_name: name };
  const [first = '', second = ''] = await pagesOf(
    await pdfOf({ ...invoice, issuer, customer: invoice.customer && { ...invoice.customer, name } }, null),
  );
  expect(first).not.toMatch(/Carried forward|Description/);
  expect(second).toMatch(/Description.*long long/);
  expect(second).not.toContain('Brought forward');
});

test('what the font has no glyph for still takes its place', async () => {
  const widthOf = async (description: string) => (await pdfOf(invoiceOf({ items: [line(1, [vat(21)], { description })] }), null)).length;
  for (const strange of ['漢字', '😀', 'שלום', '→']) expect(await widthOf(`a${strange}b`)).toBeGreaterThan(await widthOf('ab'));
});

test('a receipt has the prices that were paid, on a page of 80 mm', async () => {
  const receipt = receiptOf({
    items: [
      line(121, [vat(21)], { quantity: 2, discounts: [{ amount: 12.1 }] }),
      line(3.5, [vat(10)], { description: 'Кафа и чај', quantity: 3 }),
    ],
  });
  const bytes = await pdfOf(receipt, null);
  expect(Buffer.from(bytes).toString('latin1')).toMatch(/MediaBox \[0 0 226\.77\d* \d{3}[.\d]*\]/);
  const [text = '', ...more] = await pagesOf(bytes);
  expect(more).toEqual([]);
  for (const part of [
    ...['Ferretería <Núñez>', 'Tique', 'RCP-2026-000042', '21/11/2026 00:30', 'TILL1', 'OP1', 'Кафа и чај'],
    ...['2 × 121,00 21 % 229,90', '3 × 3,50 10 % 10,50', 'Total EUR 240,40', 'Efectivo 240,40', 'https://verify.example'],
  ])
    expect(text).toContain(part);
});

test('a receipt of 500 long lines is divided where a page can be no longer', async () => {
  const items = Array.from({ length: 500 }, (_, n) => line(1, [vat(21)], { description: `Item${n} ${'lorem ipsum '.repeat(8)}` }));
  const pages = await pagesOf(await pdfOf(receiptOf({ items }), null));
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.join(' ').match(/Item\d+/g)).toHaveLength(500);
});

test('a credit note names the invoice that it corrects', async () => {
  const text = await textOf(invoiceOf({ type: 'credit_note', corrects: 'inv_0' }));
  expect(text).toContain('Credit note');
  expect(text).toContain(`Corrects: ${preceding.number}`);
});

test('in another currency than the issuer’s the tax is shown in both', async () => {
  expect(await textOf(invoiceOf({ currency: 'USD', exchange_rate: 0.9 }))).toContain('Tax EUR (1 USD = 0.9 EUR) 18.90');
});

test('a document without parties, codes or taxes is drawn', async () => {
  const bare = invoiceOf({ items: [line(10, [])], notes: null });
  const text = await textOf({ ...bare, issuer: null, customer: null, fiscal: null });
  expect(text).toContain('Total EUR 10.00');
});
