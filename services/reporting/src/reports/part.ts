import type { CitedDocument } from '@svc/contracts/report/rows';
import type { Decimal } from '@svc/kernel';
import { exactNumber } from './exact-number.ts';
import type { Key } from './order.ts';

/** What one document adds to one row. */
export interface Part {
  key: Key;
  currency: string;
  /** With the sign that they count with. null: not known, and then the sum is not either. */
  amounts: Record<string, Decimal | null>;
  /** What the row shows besides, of its last part. */
  labels?: Record<string, string | null>;
  /** The amounts of which columns are in this currency: where two parts differ in it, these columns are not known. */
  other?: Other;
  /** The document as the row cites it. */
  cites: Citation;
}

export interface Citation {
  id: string;
  number: string;
  amount: Decimal;
  /** Its part of other figures of the row. */
  beside?: Partial<Record<Exclude<keyof CitedDocument, 'id' | 'number' | 'amount'>, Decimal>>;
}

export interface Other {
  currency: string;
  columns: readonly string[];
}

/** A row as it is summed. */
export interface Sum {
  key: Key;
  currency: string;
  documents: number;
  amounts: Record<string, Decimal | null>;
  labels?: Record<string, string | null>;
  other?: Other;
}

/** By which a row is found. */
export const rowId = ({ key, currency }: Pick<Part, 'key' | 'currency'>): string => JSON.stringify([...Object.values(key), currency]);

/** The document as it is published. */
export const citedDocument = ({ id, number, amount, beside = {} }: Citation): CitedDocument => ({
  ...{ id, number, amount: exactNumber(amount) },
  ...Object.fromEntries(Object.entries(beside).map(([name, value]) => [name, exactNumber(value)])),
});
