import type { Engine } from '@svc/embedded';
import type { Page } from '../port.ts';
import type { Where } from './filter.ts';
import { docOf, sizeOf, type StoredRow, type Table } from './table.ts';

export interface Selection {
  /** As of `indexedBy`. */
  index: string;
  where: Where;
  order: string | undefined;
  skip: number;
  limit: number;
}

/**
 * Reads documents up to the limit, then only ids. Both statements run in one turn of the event loop, without writes in between, and are
 * finished in it: an open statement would keep the WAL from being checkpointed.
 */
export function pageOf<D>(engine: Engine, table: Table, { index, where, order, skip, limit }: Selection, bytes: number): Page<D> {
  const range = `FROM ${table.name}${index} WHERE ${where.text}${order === undefined ? '' : ` ORDER BY ${order}`} LIMIT CAST(? AS INTEGER) OFFSET CAST(? AS INTEGER)`;
  const rows: StoredRow[] = [];
  let size = 0;
  for (const row of engine.sql(`SELECT ${table.columns} ${range}`).iterate(...where.values, limit, skip)) {
    size += sizeOf(table, row);
    if (size > bytes) break;
    rows.push(row);
  }
  const docs = rows.map((row) => docOf<D>(table, row));
  if (size <= bytes) return { docs, left: [] };
  const rest = engine.sql(`SELECT _id ${range}`).all(...where.values, limit - docs.length, skip + docs.length);
  return { docs, left: rest.map((row) => row['_id'] as string) };
}

const idsAt = (engine: Engine, table: Table, rowid: number): string[] =>
  engine
    .sql(`SELECT _id FROM ${table.name} WHERE rowid = ?`)
    .all(rowid)
    .map((row) => row['_id'] as string);

/** As `pageOf`, of documents that are found already. */
export function pageAt<D>(engine: Engine, table: Table, rowids: readonly number[], bytes: number): Page<D> {
  const docs: D[] = [];
  const left: string[] = [];
  let size = 0;
  for (const rowid of rowids) {
    const row =
      size > bytes ? undefined : (engine.sql(`SELECT ${table.columns} FROM ${table.name} WHERE rowid = ?`).get(rowid) as StoredRow);
    if (row) size += sizeOf(table, row);
    if (row && size <= bytes) docs.push(docOf<D>(table, row));
    else left.push(...idsAt(engine, table, rowid));
  }
  return { docs, left };
}

/** See the port's `read`: reads documents by id, a few for each chunk, and parses them on demand. */
export async function* readChunks<D>(
  engine: Engine,
  table: Table,
  ids: readonly string[],
  { text, values }: Where,
  bytes: number,
): AsyncGenerator<D[]> {
  const select = `SELECT ${table.columns} FROM ${table.name} WHERE _id = ? AND ${text}`;
  for (let at = 0; at < ids.length;) {
    const rows = await table.spanned('SELECT', async () => {
      const found: StoredRow[] = [];
      await engine.syncOf(table.name);
      for (let size = 0; at < ids.length; at += 1) {
        const row = engine.sql(select).get(ids[at] as string, ...values);
        if (row === undefined) continue;
        size += sizeOf(table, row);
        if (size > bytes && found.length > 0) break; // read again for the next chunk, in its state by then
        found.push(row);
      }
      return found;
    });
    if (rows.length > 0) yield rows.map((row) => docOf<D>(table, row));
  }
}
