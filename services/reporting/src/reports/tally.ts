import type { Turn } from '@svc/kernel';
import { createColumns, named, shown, type Sums } from './amounts.ts';
import { badQuery } from './bad-query.ts';
import { compare, keyId, sortedInTurns, type KeyValue } from './order.ts';
import { rowId, type Part, type Sum } from './part.ts';
import { type Repeated, withoutRepeated } from './repeated.ts';
import { pageOf, type Reading, type Result, type Row } from './report.ts';
import { idAt, keyAt, labelsAt, type LabelColumns, type Table } from './summed/table.ts';
import { createWindow, rowOrder, type Window } from './window.ts';

interface RowSum extends Sums {
  key: KeyValue[];
  labels?: Record<string, string | null>;
  /** The last part that was added to it, of all parts. */
  last: number;
}

/** Of one response, so that it leaves memory to others. */
const MOST_ROWS = 100_000;

/** How rows of a table are rows of a tally. */
export interface TableView {
  /** Names of the keys, in their order; those of the table by default. */
  keys?: readonly string[];
  /** Columns that make the key; all keys of the table by default. */
  by?(table: Table): Table['keys'][string][];
  /** The key of a row in the tally. */
  key?(values: KeyValue[]): KeyValue[];
  /** Columns that count; all by default. */
  columns?: readonly string[];
  /** Rows that count; all by default. */
  counts?(table: Table, row: number): boolean;
}

/** Sums the parts of documents per row and per currency. Currencies are never added to each other. */
export interface Tally {
  /** The parts of one document, at most one per key, and the change of the number of documents. Throws `invalid_request` for too many rows. */
  add(parts: readonly Part[], documents?: 1 | 0 | -1): void;
  /** Amounts of a document that is counted by another part. */
  addAmounts(part: Omit<Part, 'cites'>): void;
  /** Sums of the same documents, without their part of the totals. */
  addRows(tables: readonly Table[], view?: TableView): void;
  /** Sums for the totals alone. */
  addTotals(tables: readonly Table[], view?: Pick<TableView, 'columns' | 'counts'>): void;
  /** Between parts or tables: keeps to the window, where there is one. */
  fit(turn: Turn): Promise<void>;
  /** The rows, in the order of the last documents that were added to them. */
  rows(): Sum[];
  /** Rows ordered by key, then currency; totals by currency. A document counts once in a total, however many rows it is in. */
  result(reading: Pick<Reading, 'turn' | 'page'>): Promise<Result>;
}

interface Shape {
  /** Rows show the number of documents. */
  counts?: boolean;
  /** Columns of amounts, where not every part has them all. */
  columns?: readonly string[];
  /** Rows that count; all by default, up to the limit. */
  window?: Window | undefined;
  /** Of rows that are all held: a window's totals are with what its rows repeat. */
  repeated?: Repeated | undefined;
}

export function createTally({ counts = true, columns: first = [], window: asked, repeated }: Shape, mostRows = MOST_ROWS): Tally {
  const window = asked && createWindow(asked);
  const rows = new Map<string, Map<string | null, RowSum>>();
  const totals = new Map<string, Sums>();
  const columns = createColumns(first);
  let keys: readonly string[] = [];
  let size = 0;
  let added = 0;

  function rowsOf(currency: string): Map<string | null, RowSum> {
    let own = rows.get(currency);
    if (!own) rows.set(currency, (own = new Map()));
    return own;
  }
  /** A row that is new among those of its currency. undefined: it is not in the window. */
  function newRow(own: Map<string | null, RowSum>, id: string | null, key: KeyValue[], currency: string): RowSum | undefined {
    if (window && !window.has({ key, currency })) return undefined;
    if (!window && size === mostRows)
      throw badQuery(
        'from',
        `The report would have more than ${mostRows} rows. Ask for a shorter period, one currency or kind, or format=csv.`,
      );
    size += 1;
    const row = { key, currency, documents: 0, amounts: [], last: 0 };
    own.set(id, row);
    return row;
  }
  function totalOf(currency: string): Sums {
    let total = totals.get(currency);
    if (!total) totals.set(currency, (total = { currency, documents: 0, amounts: [] }));
    return total;
  }
  function summed(part: Omit<Part, 'cites'>): RowSum | undefined {
    columns.addPart(totalOf(part.currency), part);
    if (keys.length === 0) keys = Object.keys(part.key);
    const key = Object.values(part.key);
    const [own, id] = [rowsOf(part.currency), keyId(key)];
    const row = own.get(id) ?? newRow(own, id, key, part.currency);
    added += 1;
    if (!row) return undefined;
    row.last = added;
    if (part.labels) row.labels = part.labels;
    columns.addPart(row, part);
    return row;
  }
  /** `last`: of the document whose labels these are; they count where it is a later one. */
  function label(row: RowSum, last: number, labels: LabelColumns | undefined, n: number): void {
    if (last <= row.last) return;
    row.last = last;
    if (labels) row.labels = labelsAt(labels, n, row.labels);
  }
  const counted = ({ documents }: Sums) => (counts ? { documents } : {});
  function totalAmounts(total: Sums): ReturnType<typeof columns.amountsOf> {
    const amounts = columns.amountsOf(total);
    return repeated ? withoutRepeated(amounts, rowsOf(total.currency).values().map(columns.amountsOf), repeated) : amounts;
  }
  const all = (): RowSum[] => [...rows.values()].flatMap((own) => [...own.values()]);

  const shownRow = (row: RowSum): Row => ({
    get id() {
      return rowId({ key: named(keys, row.key), currency: row.currency });
    },
    references: [],
    fields: () => ({
      ...shown(named(keys, row.key)),
      ...row.labels,
      currency: row.currency,
      ...counted(row),
      ...shown(columns.amountsOf(row)),
    }),
  });

  return {
    add(parts, documents = 0) {
      const [first] = parts;
      if (!first) return;
      totalOf(first.currency).documents += documents;
      for (const part of parts) {
        const row = summed(part);
        if (row) row.documents += documents;
      }
    },
    addAmounts: (part) => void summed(part),
    addRows(tables, { by, key: keyIn, keys: names, columns: only, counts: isCounted } = {}) {
      const before = added;
      for (const table of tables) {
        const own = by?.(table) ?? Object.values(table.keys);
        const labels = table.labels && Object.entries(table.labels);
        if (keys.length === 0) keys = names ?? Object.keys(table.keys);
        const keyOf = (n: number): KeyValue[] => own.map((column) => keyAt(column, n));
        const rowsOfTable = rowsOf(table.currency);
        const sums = table.at.map((at, n) => {
          if (isCounted && !isCounted(table, n)) return undefined;
          const key = keyIn?.(keyOf(n));
          const id = key ? keyId(key) : idAt(own, n);
          const row = rowsOfTable.get(id) ?? newRow(rowsOfTable, id, key ?? keyOf(n), table.currency);
          if (row) label(row, before + 1 + at, labels, n);
          return row;
        });
        columns.addTable(table, only, sums);
        added = Math.max(added, before + 1 + (table.at.at(-1) ?? 0));
      }
    },
    addTotals(tables, { columns: only, counts: isCounted } = {}) {
      for (const table of tables) {
        const counts = (n: number): boolean => !isCounted || isCounted(table, n);
        columns.addTotal(table, only, counts, () => totalOf(table.currency));
      }
    },
    async fit(turn) {
      if (!window) return;
      const excess = await window.excess(all, size, turn);
      for (const { key, currency } of excess) rows.get(currency)?.delete(keyId(key));
      size -= excess.length;
    },
    rows: () =>
      all()
        .sort((a, b) => a.last - b.last)
        .map((row) => {
          const { currency, documents, labels, other } = row;
          const sum = { key: named(keys, row.key), currency, documents, amounts: columns.amountsOf(row) };
          return { ...sum, ...(labels && { labels }), ...(other && { other }) };
        }),
    async result(reading) {
      const sorted = await sortedInTurns(all(), rowOrder, reading.turn);
      return {
        total: sorted.length,
        last: window?.last(),
        rows: pageOf(sorted, reading).map(shownRow),
        totals: [...totals.values()]
          .sort((a, b) => compare(a.currency, b.currency))
          .map((total) => ({ currency: total.currency, ...counted(total), ...shown(totalAmounts(total)) })),
      };
    },
  };
}
