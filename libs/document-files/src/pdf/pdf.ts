import type { Preceding } from '../ubl/ubl.ts';
import { marksOf, type Parties, type PdfDocument } from './document.ts';
import { drawInvoice } from './invoice.ts';
import { numbersIn } from './numbers.ts';
import { drawReceipt } from './receipt.ts';
import { hanOf, isPlain } from './scripts.ts';
import { createSheet } from './sheet.ts';
import { drawStatement, type PdfStatement } from './statement.ts';
import { statementWords } from './statement-words.ts';
import type { Typefaces } from './typefaces.ts';
import { wordsIn } from './words.ts';

/**
 * The PDF of a document, in the language of the customer where there are words for it, else in that of the issuer. The same document gives the same bytes:
 * dates and ids of the file are the document's. `preceding`: what it corrects.
 */
export async function pdfOf(document: PdfDocument, preceding: Preceding | null): Promise<Uint8Array<ArrayBuffer>> {
  const { issuer, customer, currency, number, issued_at, created_at } = document;
  const words = wordsIn(customer?.language, issuer?.language);
  const title = words.titles[document.object === 'receipt' ? 'receipt' : document.type];
  const shared = { words, numbers: numbersIn(words, currency), corrects: preceding?.number ?? null };
  const text = JSON.stringify(document, (key, value: unknown) => (key === 'metadata' ? undefined : value));
  const sheet = createSheet({
    title: [title, number, ...marksOf({ document, ...shared })].filter(Boolean).join(' '),
    author: issuer?.legal_name ?? issuer?.trade_name ?? '',
    language: words.tag,
    faces: await facesFor(text, customer),
    made: issued_at ?? created_at,
  });
  if (document.object === 'receipt') drawReceipt(sheet, { document, ...shared });
  else drawInvoice(sheet, { document, ...shared });
  return sheet.bytes();
}

/** The PDF of a statement, in the same languages. The same statement gives the same bytes: the file states the end of its day as its time. */
export async function statementPdfOf(statement: PdfStatement): Promise<Uint8Array<ArrayBuffer>> {
  const { issuer, customer, as_of } = statement;
  const words = wordsIn(customer?.language, issuer?.language);
  const sheet = createSheet({
    title: [statementWords[words.tag].title, customer?.name, as_of, statement.livemode ? null : words.marks.test].filter(Boolean).join(' '),
    author: issuer?.legal_name ?? issuer?.trade_name ?? '',
    language: words.tag,
    faces: await facesFor(JSON.stringify(statement), customer),
    made: `${as_of}T23:59:59.000Z`,
  });
  drawStatement(sheet, statement, words);
  return sheet.bytes();
}

/** null where the base font has every character of the text. */
async function facesFor(
  text: string,
  customer: Pick<NonNullable<Parties['customer']>, 'language' | 'address'> | null,
): Promise<Typefaces | null> {
  if (isPlain(text)) return null;
  return (await import('./typefaces.ts')).typefacesFor(text, hanOf(customer?.language, customer?.address?.country, text));
}
