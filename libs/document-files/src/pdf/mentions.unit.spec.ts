import type { TaxCode } from '@svc/tax-rules';
import { line, preceding, vat } from '../ubl/testing/documents.ts';
import type { PdfDocument } from './document.ts';
import { pdfOf } from './pdf.ts';
import { invoiceOf, receiptOf } from './testing/documents.ts';
import { pagesOf } from './testing/text.ts';

const textOf = async (document: PdfDocument): Promise<string> =>
  (await pagesOf(await pdfOf(document, 'corrects' in document && document.corrects ? preceding : null))).join(' ');

const [iic, fic] = ['A1B2C3D4E5F60718293A4B5C6D7E8F90', '8f1c5c1e-5d5b-4f0e-9d0e-2f6f3f0b9a11'];
const url = 'https://verify.example/einvoice';
const unit = { code: 'bb123bb123', name: 'Shop', address: null, devices: ['tt123tt123'] };
const countries = {
  AL: { country: 'AL', authority: 'al-cis', language: 'sq', time_zone: 'Europe/Tirane' },
  ES: { country: 'ES', authority: 'es-verifactu', language: 'es', time_zone: 'Europe/Madrid' },
  ME: { country: 'ME', authority: 'me-efi', language: 'sr-Latn', time_zone: 'Europe/Podgorica' },
  FR: { country: 'FR', authority: 'sandbox', language: 'en', time_zone: 'Europe/Paris' },
} as const;
type Country = keyof typeof countries;

/** Of an issuer there, in its language or that of the customer. */
function from<Document extends PdfDocument>(country: Country, document: Document, language: string | null = null): Document {
  const { issuer, customer, fiscal } = document;
  return {
    ...document,
    issuer: issuer && {
      ...{ ...issuer, ...countries[country], software_code: 'sw123sw123' },
      ...{ units: [unit], operators: [{ code: 'oo123oo123', name: 'Ana' }] },
    },
    customer: customer && { ...customer, language },
    fiscal: fiscal && { ...fiscal, verification_url: url },
  };
}

const codes = ['E', 'AE', 'K', 'G', 'O'] as const satisfies TaxCode[];
const untaxed = codes.map((code) => line(10, [vat(0, { code, ...(code === 'E' && { exemption_reason: 'Reason 51' }) })]));
const documents = {
  invoice: invoiceOf({ items: untaxed }),
  'credit note': invoiceOf({ items: untaxed, type: 'credit_note', corrects: 'inv_0' }),
  corrective: invoiceOf({ items: untaxed, type: 'corrective', corrects: 'inv_0' }),
  receipt: receiptOf({ items: untaxed }, { unit: 'bb123bb123', device: 'tt123tt123', operator: 'oo123oo123' }),
};
const names = Object.keys(documents) as (keyof typeof documents)[];

/** What every document of the country shows in its own language. */
const mentions: Record<Country, string[]> = {
  AL: [
    ...[`NSLF: ${iic}`, `NIVF: ${fic}`, 'Kodi i operatorit: oo123oo123', 'Kodi i vendit të ushtrimit të veprimtarisë: bb123bb123'],
    ...['Kodi i pajisjes elektronike fiskale (TCR): tt123tt123', 'Kodi i softuerit: sw123sw123', url, 'B58378431'],
    ...['Përjashtuar nga TVSH: Reason 51', 'Ngarkesë e kundërt e TVSH-së'],
  ],
  ES: [
    ...['QR tributario:', 'Factura verificable en la sede electrónica de la AEAT', url, 'NIF: B58378431', `Código fiscal: ${fic}`],
    ...['Operación exenta: Reason 51', 'Inversión del sujeto pasivo', 'Operación exenta: artículo 25 de la Ley 37/1992'],
    ...['Operación exenta: artículo 21 de la Ley 37/1992', 'No sujeto a IVA'],
  ],
  ME: [
    ...[`IKOF: ${iic}`, `JIKR: ${fic}`, 'Kod operatera: oo123oo123', 'Kod poslovnog prostora: bb123bb123', 'Kod ENU: tt123tt123'],
    ...['Kod softvera: sw123sw123', url, 'B58378431', 'Oslobođeno PDV-a: Reason 51', 'Prenos poreske obaveze'],
  ],
  FR: [
    ...['Exempt: Reason 51', 'Reverse charge', 'Intra-community supply', 'Export outside the EU', 'Not subject to VAT'],
    ...['Tax number: B58378431', `Fiscal code: ${fic}`, `Issuer’s code: ${iic}`, url],
  ],
};

/** The day and time of issue, whatever its own day of issue is. */
const issuedAt: Record<Country, string[]> = {
  AL: ['Data dhe ora e lëshimit: 21.11.2026 00:30'],
  ES: [],
  ME: ['Datum i vrijeme izdavanja: 21.11.2026. 00:30'],
  FR: [],
};

describe.each(Object.keys(countries) as Country[])('of %s', (country) => {
  test.each(names)('%s shows every mention, once', async (name) => {
    const text = await textOf(from(country, documents[name]));
    const wanted = [...mentions[country], ...(name === 'receipt' ? [] : issuedAt[country])];
    expect(wanted.filter((mention) => !text.includes(mention))).toEqual([]);
    const once = text.match(/NSLF|NIVF|IKOF|JIKR|QR tributario|Reason 51|oo123oo123|tt123tt123|8f1c5c1e/g) ?? [];
    expect(once.length).toBe(new Set(once).size);
  });

  test('a draft shows nothing of a registration', async () => {
    const draft = { ...invoiceOf({ items: [line(10)] }), number: null, issued_at: null, fiscal: null, status: 'draft' as const };
    const bare = from(country, draft);
    const text = await textOf({ ...bare, issuer: bare.issuer && { ...bare.issuer, units: [], operators: [], software_code: null } });
    expect(text).not.toMatch(/NSLF|NIVF|IKOF|JIKR|QR tributario|Factura verificable|Operator|Kod |Kodi i (operatorit|softuerit)/);
  });
});

test('a receipt of Albania and Montenegro tells its time of issue beside the day', async () => {
  expect(await textOf(from('AL', documents.receipt))).toContain('21.11.2026 00:30');
  expect(await textOf(from('ME', documents.receipt))).toContain('21.11.2026. 00:30');
});

test.each(['credit note', 'corrective'] as const)('of Spain a %s is a rectificativa, and names what it corrects', async (name) => {
  const text = await textOf(from('ES', documents[name]));
  expect(text.match(/Factura rectificativa/g)).toHaveLength(1);
  expect(text).toContain(`Rectifica: ${preceding.number}`);
  expect(await textOf(from('ES', documents.invoice))).not.toContain('rectificativa');
});

test.each(['invoice', 'receipt'] as const)('of Spain the QR code stands before everything else on the %s', async (name) => {
  const text = await textOf(from('ES', { ...documents[name] }));
  expect(text).toMatch(/^QR tributario: Factura verificable en la sede electrónica de la AEAT/);
});

test('the labels follow the language of the customer, the words of the law do not', async () => {
  const spanish = await textOf(from('ES', documents['credit note'], 'en'));
  for (const part of ['Exempt: Reason 51', 'Corrective invoice', 'Inversión del sujeto pasivo', 'QR tributario:'])
    expect(spanish).toContain(part);
  const montenegrin = await textOf(from('ME', documents.invoice, 'en'));
  for (const part of [`IKOF: ${iic}`, `JIKR: ${fic}`, 'Business unit code: bb123bb123', 'Exempt from VAT: Reason 51', 'Reverse charge'])
    expect(montenegrin).toContain(part);
});

test('a reason that no mention tells stands with its code, one that says the same as a mention does not', async () => {
  const because = (exemption_reason: string) => line(10, [vat(0, { code: 'AE', exemption_reason })]);
  const text = await textOf(from('FR', invoiceOf({ items: [because('Article 196'), because('Reverse charge')] })));
  expect(text).toMatch(/Reverse charge Reason: AE: Article 196/);
  expect(text.match(/Reverse charge/g)).toHaveLength(1);
});
