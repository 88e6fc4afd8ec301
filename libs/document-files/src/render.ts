import { parseExact } from '@svc/kernel';
import type { Parties, PdfDocument } from './pdf/document.ts';
import { pdfOf, statementPdfOf } from './pdf/pdf.ts';
import type { PdfStatement } from './pdf/statement.ts';
import type { Missing } from './ubl/missing.ts';
import { missingIn, ublOf, type Preceding, type UblInvoice } from './ubl/ubl.ts';

export type { Preceding };

export type Format = 'pdf' | 'ubl';

/** A file to make, or to find out whether a document has conforming UBL. `statement`: the PDF of one. */
export interface Job {
  make: Format | 'conformance' | 'statement';
  /** JSON of the document's resource, or of a `PdfStatement`. */
  text: string;
  /** The document that it corrects. */
  preceding: Preceding | null;
  /** Of a draft, which has none of its own. */
  parties: Parties | null;
}

export interface Rendered {
  bytes: Uint8Array<ArrayBuffer>;
  /** Of `conformance`: what keeps UBL from conforming. `bytes` are empty. */
  missing: Missing[];
}

/** Runs in the worker. Throws what the format throws for a document that it cannot hold. */
export async function render({ make, text, preceding, parties }: Job): Promise<Rendered> {
  const document = parseExact(text);
  if (make === 'statement') return { bytes: await statementPdfOf(document as PdfStatement), missing: [] };
  if (make === 'pdf') return { bytes: await pdfOf({ ...(document as PdfDocument), ...parties }, preceding), missing: [] };
  if (make === 'conformance') return { bytes: new Uint8Array(), missing: missingIn(document as UblInvoice, preceding) };
  return { bytes: new TextEncoder().encode(ublOf(document as UblInvoice, preceding).xml), missing: [] };
}
