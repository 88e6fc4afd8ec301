import { decimal, type Decimal } from '@svc/kernel';
import type { DocumentKind } from '@svc/contracts/documents';
import type { Sum } from '../tally.ts';

type Packed = [
  kind: DocumentKind,
  key: (string | null | [decimal: string])[],
  currency: string,
  documents: number,
  amounts: (string | null)[],
  labels?: (string | null)[] | null,
  otherCurrency?: string | undefined,
];

/** A row of documents of one kind. */
export type KindSum = Sum & { kind: DocumentKind };

/** Rows as JSON: the names of their columns once. */
export interface PackedRows {
  key: string[];
  amounts: string[];
  labels: string[];
  /** Columns in another currency. */
  other: readonly string[];
  rows: Packed[];
  /** A row for each kind and currency, over all keys. */
  totals: Packed[];
}

export function packRows(rows: readonly KindSum[], totals: readonly KindSum[]): PackedRows {
  const [first] = rows;
  return {
    key: Object.keys(first?.key ?? {}),
    amounts: Object.keys(first?.amounts ?? {}),
    labels: Object.keys(first?.labels ?? {}),
    other: rows.find((row) => row.other)?.other?.columns ?? [],
    rows: rows.map(packed),
    totals: totals.map(packed),
  };
}

function packed({ kind, key, currency, documents, amounts, labels, other }: KindSum): Packed {
  const keys = Object.values(key).map((value): Packed[1][number] =>
    value === null || typeof value === 'string' ? value : [value.toString()],
  );
  const texts = Object.values(amounts).map((amount) => (amount === null ? null : amount.toString()));
  if (!labels && !other) return [kind, keys, currency, documents, texts];
  return [kind, keys, currency, documents, texts, labels ? Object.values(labels) : null, other?.currency];
}

/** Those of the rows, or of the totals, that are selected. */
export function* unpackRows(
  packed: PackedRows,
  of: 'rows' | 'totals',
  isSelected: (row: Pick<KindSum, 'kind' | 'currency'>) => boolean,
): Generator<Sum> {
  for (const [kind, key, currency, documents, amounts, labels, otherCurrency] of packed[of]) {
    if (!isSelected({ kind, currency })) continue;
    yield {
      key: named(packed.key, key.map(keyOf)),
      currency,
      documents,
      amounts: named(packed.amounts, amounts.map(amountOf)),
      ...(labels && { labels: named(packed.labels, labels) }),
      ...(typeof otherCurrency === 'string' && { other: { currency: otherCurrency, columns: packed.other } }),
    };
  }
}

const keyOf = (value: Packed[1][number]): string | Decimal | null => (Array.isArray(value) ? decimal(value[0]) : value);
const amountOf = (text: string | null): Decimal | null => (text === null ? null : decimal(text));

function named<T>(names: readonly string[], values: readonly T[]): Record<string, T> {
  const fields: Record<string, T> = {};
  for (let n = 0; n < names.length; n += 1) fields[names[n] as string] = values[n] as T;
  return fields;
}
