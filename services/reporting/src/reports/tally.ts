import type { CitedDocument } from '@svc/contracts/report/rows';
import type { Decimal } from '@svc/kernel';
import { badQuery } from './bad-query.ts';
import { exactNumber } from './exact-number.ts';
import { compare, compareKeys, type Key } from './order.ts';
import type { Other, Part } from './part.ts';
import type { Result, Row } from './report.ts';

interface Sums {
  currency: string;
  documents: number;
  amounts: Record<string, Decimal | null>;
  other?: Other;
}
/** A row as it is summed, and added to another tally. */
export interface Sum extends Sums {
  key: Key;
  labels?: Record<string, string | null>;
}
interface CitedSum extends Sum {
  /** The last part that was added to it, of all parts. */
  last: number;
  references: CitedDocument[];
}

export interface Limits {
  rows: number;
  references: number;
}
/** Limits of one response, so that it leaves memory to others. */
const LIMITS: Limits = { rows: 100_000, references: 100_000 };

/** Sums the parts of documents per row and per currency. Currencies are never added to each other. */
export interface Tally {
  /** The parts of one document, at most one per key, and the change of the number of documents. Throws `invalid_request` beyond the limits. */
  add(parts: readonly Part[], documents?: 1 | 0 | -1): void;
  /** Amounts of a document that is cited, if at all, by another part. */
  addAmounts(part: Omit<Part, 'cites'>): void;
  /** A row of another tally, without its part of the totals. */
  addRow(row: Sum): void;
  /** A total of another tally, over the rows that are added by `addRow`. */
  addTotal(total: Omit<Sum, 'key' | 'labels'>): void;
  /** The rows without citations, in the order of the last documents that were added to them. */
  rows(): Sum[];
  /** Rows ordered by key, then currency; totals by currency. A document counts once in a total, however many rows it is in. */
  result(): Result;
}

const tooMuch = (parameter: string, what: string): Error =>
  badQuery(parameter, `The report would have more than ${what}. Ask for a shorter period, one currency or one kind.`);

/** By which a row is found. */
export const rowId = ({ key, currency }: Pick<Part, 'key' | 'currency'>): string => JSON.stringify([...Object.values(key), currency]);

/** `counts`: rows show the number of documents. `cites`: rows record their documents. */
export function createTally({ counts = true, cites }: { counts?: boolean; cites: boolean }, limits: Limits = LIMITS): Tally {
  const rows = new Map<string, CitedSum>();
  const totals = new Map<string, Sums>();
  let citations = 0;
  let added = 0;

  function rowOf({ key, currency }: Pick<Part, 'key' | 'currency'>): CitedSum {
    const id = rowId({ key, currency });
    let row = rows.get(id);
    if (!row) {
      if (rows.size === limits.rows) throw tooMuch('from', `${limits.rows} rows`);
      rows.set(id, (row = { key, currency, documents: 0, amounts: {}, last: 0, references: [] }));
    }
    return row;
  }
  function totalOf(currency: string): Sums {
    let total = totals.get(currency);
    if (!total) totals.set(currency, (total = { currency, documents: 0, amounts: {} }));
    return total;
  }
  function addToRow(part: Omit<Part, 'cites'>): CitedSum {
    const row = rowOf(part);
    row.last = added += 1;
    if (part.labels) row.labels = part.labels;
    addUp(row, part);
    return row;
  }
  function summed(part: Omit<Part, 'cites'>): CitedSum {
    addUp(totalOf(part.currency), part);
    return addToRow(part);
  }
  const counted = ({ documents }: Sums) => (counts ? { documents } : {});

  const shownRow = (row: CitedSum): Row => ({
    id: rowId(row),
    references: row.references,
    fields: () => ({ ...shown(row.key), ...row.labels, currency: row.currency, ...counted(row), ...shown(row.amounts) }),
  });

  return {
    add(parts, documents = 0) {
      const [first] = parts;
      if (!first) return;
      totalOf(first.currency).documents += documents;
      for (const part of parts) {
        const row = summed(part);
        row.documents += documents;
        if (!cites) continue;
        if (++citations > limits.references) throw tooMuch('cite', `${limits.references} documents to cite`);
        row.references.push(citation(part));
      }
    },
    addAmounts: (part) => void summed(part),
    addRow(sum) {
      addToRow(sum).documents += sum.documents;
    },
    addTotal(sum) {
      const total = totalOf(sum.currency);
      total.documents += sum.documents;
      addUp(total, sum);
    },
    rows: () => [...rows.values()].sort((a, b) => a.last - b.last).map(({ references: _, last: __, ...row }) => row),
    result: () => ({
      rows: [...rows.values()].sort((a, b) => compareKeys(a.key, b.key) || compare(a.currency, b.currency)).map(shownRow),
      totals: [...totals.values()]
        .sort((a, b) => compare(a.currency, b.currency))
        .map((total) => ({ currency: total.currency, ...counted(total), ...shown(total.amounts) })),
    }),
  };
}

function addUp(sums: Sums, { amounts, other }: Pick<Part, 'amounts' | 'other'>): void {
  for (const column in amounts) {
    const amount = amounts[column] as Decimal | null;
    const before = sums.amounts[column];
    if (before === undefined) sums.amounts[column] = amount;
    else sums.amounts[column] = before === null || amount === null ? null : before.plus(amount);
  }
  if (!other) return;
  sums.other ??= other;
  if (sums.other.currency !== other.currency) for (const column of other.columns) sums.amounts[column] = null;
}

const citation = ({ cites: { id, number, amount, tax } }: Part): CitedDocument => ({
  id,
  number,
  amount: exactNumber(amount),
  ...(tax && { tax: exactNumber(tax) }),
});

/** Decimals as exact JSON numbers. */
const shown = (values: Record<string, Decimal | string | null>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === null || typeof value === 'string' ? value : exactNumber(value)]),
  );
