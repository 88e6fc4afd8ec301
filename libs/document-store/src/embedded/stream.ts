import { setImmediate } from 'node:timers/promises';
import type { Engine } from '@svc/embedded';
import type { Doc } from '../port.ts';
import { both, orderText, type Step, type Where } from './filter.ts';
import type { Stored } from './scalar.ts';
import { docOf, sizeOf, type Table } from './table.ts';

/** How many documents are read at once, fewer where they are large; other work of the process runs between two reads. */
export const CHUNK = 500;
const MOST_BYTES = 1024 * 1024;

type Row = Record<string, Stored>;

/**
 * Reads in chunks, each a statement of its own that is finished before the first of its documents is returned: no cursor is open
 * while the connection writes (an open one would also keep the WAL from being checkpointed). The next chunk starts behind the last
 * row by its position in the sort. So a document that is not written meanwhile is returned exactly once; one that a write moves in the
 * sort may be returned at its old or new position, at both or at none, as with a MongoDB cursor.
 */
export async function* streamed<D extends Doc>(engine: Engine, table: Table, where: Where, order: Step[], skip: number, limit: number) {
  const read = (range: Where, offset: number, max: number): { rows: Row[]; isCut: boolean } => {
    const { text, values } = both(range, where); // SQLite begins at the first lower bound of a column: behind the last row, not at the filter's.
    const keys = order.map(({ column }, n) => `${column} AS k${n}`);
    const select = `SELECT ${table.columns}, ${keys.join()} FROM ${table.name} WHERE ${text} ORDER BY ${orderText(order)} LIMIT CAST(? AS INTEGER) OFFSET CAST(? AS INTEGER)`;
    const rows: Row[] = [];
    let bytes = 0;
    for (const row of engine.sql(select).iterate(...values, max, offset) as Iterable<Row>) {
      bytes += sizeOf(table, row);
      if (bytes > MOST_BYTES && rows.length > 0) return { rows, isCut: true };
      rows.push(row);
    }
    return { rows, isCut: rows.length === max };
  };
  let left = limit;
  let offset = skip;
  let ranges: Where[] = [both()];
  for (let range = ranges.shift(); range !== undefined && left > 0; range = ranges.shift()) {
    const max = Math.min(CHUNK, left);
    const { rows, isCut } = await table.spanned('SELECT', async () => {
      await engine.syncOf(table.name);
      return read(range, offset, max);
    });
    for (const row of rows) yield docOf<D>(table, row);
    left -= rows.length;
    offset = 0;
    const last = rows.at(-1);
    if (last === undefined || !isCut) continue;
    ranges = behind(order, last);
    await setImmediate();
  }
}

/**
 * The rows behind a row, as consecutive ranges that an index can serve: first the rows that are equal in all keys but the last and
 * greater in the last; then those equal in all but the last two; and so on. NULLs come first, as in MongoDB.
 */
export function behind(order: Step[], row: Row): Where[] {
  return order.flatMap((_, n) => {
    const depth = order.length - 1 - n;
    const same = order.slice(0, depth).map(({ column }, k) => ({ text: `${column} IS ?`, values: [row[`k${k}`] ?? null] }));
    return beyond(order[depth] as Step, row[`k${depth}`] ?? null).map((after) => both(...same, after));
  });
}

function beyond({ column, descending }: Step, value: Stored): Where[] {
  if (!descending) return [value === null ? { text: `${column} IS NOT NULL`, values: [] } : { text: `${column} > ?`, values: [value] }];
  if (value === null) return [];
  return [
    { text: `${column} < ?`, values: [value] },
    { text: `${column} IS NULL`, values: [] },
  ];
}
