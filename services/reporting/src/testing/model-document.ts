import type { Day } from '@svc/kernel';

export const ZONE = 'Europe/Paris';

/** A document as the history knows it: amounts in whole units of its currency, times of recording in milliseconds. */
export interface ModelDocument {
  id: string;
  kind: 'invoice' | 'receipt';
  type: 'standard' | 'credit_note' | 'corrective';
  customer: string | null;
  /** The customer's, as frozen on it. */
  name: string | null;
  currency: 'EUR' | 'JPY' | 'KWD';
  /** Of all lines. */
  net: bigint;
  tax: bigint;
  retained: bigint;
  /** `rate`: per cent. With `untaxed` the bases add up to `net`, in `precise` but for their rounding. */
  taxes: { rate: 10 | 20; base: bigint; tax: bigint }[];
  /** Of the lines without VAT. */
  untaxed: bigint;
  rounding: 'line' | 'precise';
  /** Of the document: part of what `net` is without. */
  discount: bigint;
  /** Euro per unit of the currency, in units of 10^-4; null: not stated, as on receipts. */
  exchange: bigint | null;
  product: string | null;
  /** Its count is of the year. */
  series: 'INV' | 'CN' | 'RCP';
  seq: number;
  corrects: ModelDocument | null;
  issuedOn: Day;
  dueOn: Day | null;
  numberedAt: number;
  outcome: { at: number; is: 'registered' | 'failed' } | null;
  voided: { at: number; day: Day } | null;
  payments: { amount: bigint; day: Day; at: number; reversed: { at: number; day: Day } | null }[];
}

/** Of the currencies. */
export const decimals = { EUR: 2, JPY: 0, KWD: 3 };
