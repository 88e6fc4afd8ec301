import type { Format } from '../files/links.ts';
import type { Missing } from '../document/ubl/missing.ts';
import { ublOf, type Preceding, type UblInvoice } from '../document/ubl/ubl.ts';

export type { Preceding };

/** A file to make. `text`: JSON of the document's resource; `preceding`: the document that it corrects. */
export interface Job {
  format: Format;
  text: string;
  preceding: Preceding | null;
}

export interface Rendered {
  bytes: Uint8Array<ArrayBuffer>;
  /** Of UBL: what keeps it from conforming. */
  missing: Missing[];
}

/** Runs in the worker. Throws what the format throws for a document that it cannot hold. */
export async function render({ text, preceding }: Job): Promise<Rendered> {
  const { xml, missing } = ublOf(JSON.parse(text) as UblInvoice, preceding);
  return { bytes: new TextEncoder().encode(xml), missing };
}
