import { parseExact } from '@svc/kernel';
import type { Parties, PdfDocument } from '../document/pdf/document.ts';
import { pdfOf } from '../document/pdf/pdf.ts';
import type { Missing } from '../document/ubl/missing.ts';
import { ublOf, type Preceding, type UblInvoice } from '../document/ubl/ubl.ts';
import type { Format } from '../files/links.ts';

export type { Preceding };

/** A file to make. */
export interface Job {
  format: Format;
  /** JSON of the document's resource. */
  text: string;
  /** The document that it corrects. */
  preceding: Preceding | null;
  /** Of a draft, which has none of its own. */
  parties: Parties | null;
}

export interface Rendered {
  bytes: Uint8Array<ArrayBuffer>;
  /** Of UBL: what keeps it from conforming. */
  missing: Missing[];
}

/** Runs in the worker. Throws what the format throws for a document that it cannot hold. */
export async function render({ format, text, preceding, parties }: Job): Promise<Rendered> {
  const document = parseExact(text);
  if (format === 'pdf') return { bytes: await pdfOf({ ...(document as PdfDocument), ...parties }, preceding), missing: [] };
  const { xml, missing } = ublOf(document as UblInvoice, preceding);
  return { bytes: new TextEncoder().encode(xml), missing };
}
