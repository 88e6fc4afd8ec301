/** What names an invoice to the authority, kept with what was sent of it. */
export interface Reference {
  nif: string;
  number: string;
  /** dd-mm-yyyy */
  day: string;
  /** Of the operation, yyyy-mm. */
  month: string;
  /** Of the issuer. */
  name: string;
  zone: string;
  installation: string;
  huella: string;
  operation: 'Alta' | 'Anulacion';
}

export const referenceText = (of: Reference): string => JSON.stringify(of);

/** Throws where the record has none. */
export function referenceOf(text: string | undefined): Reference {
  if (text === undefined) throw new TypeError('the record has no reference');
  return JSON.parse(text) as Reference;
}
