import type { Engine } from '@svc/embedded';
import type { Size } from '../port.ts';
import { textColumns, type Table } from './table.ts';

/** Rows that are looked at: each is one look-up by rowid, which does not read what a long row has on further pages. */
const SAMPLED = 256;

/**
 * See the port's `size`. Rowids count up, so that rows spread over their range show how many there are and how long: exact up to 256 rows, and where documents
 * are deleted in the order of storing it is off only by the spread of their lengths.
 */
export function sizeOf(engine: Engine, table: Table): Size {
  const { low, high } = engine.sql(`SELECT min(rowid) AS low, max(rowid) AS high FROM ${table.name}`).get() as Record<
    string,
    number | null
  >;
  if (low === null || high === null || low === undefined || high === undefined) return { documents: 0, bytes: 0 };
  const range = high - low + 1;
  const sampled = Math.min(SAMPLED, range);
  const rowids = Array.from({ length: sampled }, (_, n) => low + Math.floor((n * range) / sampled));
  const bytes = ['_id', 'body', ...textColumns(table)].map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ');
  const select = `SELECT count(*) AS rows, coalesce(sum(${bytes}), 0) AS bytes FROM ${table.name} WHERE rowid IN (SELECT value FROM json_each(?))`;
  const found = engine.sql(select).get(JSON.stringify(rowids)) as { rows: number; bytes: number };
  const share = range / sampled;
  return { documents: Math.round(found.rows * share), bytes: Math.round(found.bytes * share) };
}
