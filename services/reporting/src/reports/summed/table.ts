import type { DocumentKind } from '@svc/contracts/documents';
import { Decimal, decimal, toText } from '@svc/kernel';
import type { KeyValue } from '../order.ts';
import type { Other, Sum } from '../part.ts';

/** A row of documents of one kind. */
export type KindSum = Sum & { kind: DocumentKind };

/** A whole number; as text where it is beyond 2^53. */
type Units = number | string;

/** Amounts of a column, in units of 10^-scale; null: not known. */
export interface Amounts {
  scale: number;
  units: (Units | null)[];
}

/**
 * Sums as columns, of one kind and currency: a block of 500 documents may have as many rows as documents, which a report then adds up without an object for each.
 * A decimal in a key is a list of its text.
 */
export interface Table {
  kind: DocumentKind;
  currency: string;
  other?: Other;
  /** Where each row is in the order of the last documents of all rows of the block: of two labels the later one counts. */
  at: number[];
  documents: number[];
  keys: Record<string, (string | null | [decimal: string])[]>;
  amounts: Record<string, Amounts>;
  labels?: Record<string, (string | null)[]>;
}

/** Tables of rows, and one row each for their totals over all keys. */
export interface Tables {
  rows: Table[];
  totals: Table[];
}

/** Rows in the order of the last documents that they are of. */
export function tablesOf(rows: readonly KindSum[]): Table[] {
  const placed = rows.map((row, at) => ({ row, at }));
  const groups = Map.groupBy(placed, ({ row: { kind, currency, other } }) => `${kind} ${currency} ${other?.currency ?? ''}`);
  return [...groups.values()].map((group) => {
    const own = group.map(({ row }) => row);
    const { kind, currency, other, key, amounts, labels } = own[0] as KindSum;
    const columns = <T, V>(of: Record<string, T>, make: (name: string) => V): Record<string, V> =>
      Object.fromEntries(Object.keys(of).map((name) => [name, make(name)]));
    return {
      ...{ kind, currency, ...(other && { other }) },
      at: group.map(({ at }) => at),
      documents: own.map(({ documents }) => documents),
      keys: columns(key, (name) => own.map((row) => packedKey(row.key[name] ?? null))),
      amounts: columns(amounts, (name) => packedAmounts(own.map((row) => row.amounts[name] ?? null))),
      ...(labels && { labels: columns(labels, (name) => own.map((row) => row.labels?.[name] ?? null)) }),
    };
  });
}

const packedKey = (value: KeyValue): string | null | [string] => (value instanceof Decimal ? [toText(value)] : value);

/** The value of a key in a row. */
export const keyAt = (column: Table['keys'][string], row: number): KeyValue => {
  const value = column[row] ?? null;
  return Array.isArray(value) ? decimal(value[0]) : value;
};

function packedAmounts(amounts: readonly (Decimal | null)[]): Amounts {
  const scale = amounts.reduce((most, amount) => Math.max(most, amount?.scale ?? 0), 0);
  const units = amounts.map((amount): Units | null => {
    if (amount === null) return null;
    const { units: own } = amount.plus(new Decimal(0, scale));
    return typeof own === 'number' ? own : String(own);
  });
  return { scale, units };
}

/** Identifies the key of a row as `keyId` does, without making the key. */
export function idAt(columns: readonly Table['keys'][string][], row: number): string | null {
  const [only] = columns;
  const first = only?.[row] ?? null;
  if (columns.length === 1 && (first === null || typeof first === 'string')) return first;
  let id = '';
  for (const [n, column] of columns.entries()) {
    const value = column[row] ?? null;
    id += `${n === 0 ? '' : '\n'}${value === null ? '\n' : typeof value === 'string' ? value : value[0]}`;
  }
  return id;
}

/** The amount of a row. */
export function amountAt({ scale, units }: Amounts, row: number): Decimal | null {
  const own = units[row] ?? null;
  if (own === null) return null;
  return typeof own === 'number' ? new Decimal(own, scale) : new Decimal(BigInt(own), scale);
}

/** Labels by their names, as `labelsAt` reads them for each row. */
export type LabelColumns = [name: string, values: (string | null)[]][];

/** The labels of a row: those given where they are the same. */
export function labelsAt(
  labels: LabelColumns,
  n: number,
  before: Record<string, string | null> | undefined,
): Record<string, string | null> {
  if (before && labels.every(([name, values]) => (values[n] ?? null) === before[name])) return before;
  return Object.fromEntries(labels.map(([name, values]) => [name, values[n] ?? null]));
}
