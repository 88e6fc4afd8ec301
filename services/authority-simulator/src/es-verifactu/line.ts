import type { InvoiceState } from './invoices.ts';

/** The outcome of one record. */
export interface Line {
  state: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto';
  code?: number;
  /** The name of a field in the text of the error. */
  field?: string;
  /** Of the record that is registered already. */
  duplicate?: { request: string; state: InvoiceState; code: number | null };
}

export const accepted: Line = { state: 'Correcto' };
export const withWarning = (code: number): Line => ({ state: 'AceptadoConErrores', code });
export const rejected = (code: number, more: Pick<Line, 'field' | 'duplicate'> = {}): Line => ({ state: 'Incorrecto', code, ...more });
