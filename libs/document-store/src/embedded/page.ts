import type { Engine } from '@svc/embedded';
import type { Condition, Filter, Page, Query, Scalar, Sort } from '../port.ts';
import { type Where, orderOf, whereOf, type Step } from './filter.ts';
import { docOf, sizeOf, type StoredRow, type Table } from './table.ts';
import type { Turn } from '@svc/kernel';
import type { Stored } from './scalar.ts';

interface Selection {
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

/** Ids that are looked up in one turn. */
const AT_ONCE = 500;

/** The ids that a filter lists, each once; undefined: it lists none. */
export function idsIn({ _id: condition }: Filter): readonly string[] | undefined {
  const ids = typeof condition === 'object' && condition !== null && '$in' in condition ? condition.$in : undefined;
  return ids && [...new Set(ids as string[])];
}

/** Each id by itself, a few with a turn between: one statement for all would hold up others, and may read by an index of another field. */
async function* rowsOf(engine: Engine, table: Table, filter: Filter, ids: readonly string[], columns: string, turn: Turn) {
  const { _id: condition, ...others } = filter;
  const { $in: _, ...range } = condition as Exclude<Condition, Scalar>;
  const { text, values } = whereOf(table, Object.keys(range).length === 0 ? others : { ...others, _id: range });
  const select = engine.sql(`SELECT rowid AS r${columns} FROM ${table.name} WHERE _id = ? AND ${text}`);
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    if (at > 0) await turn(0);
    await engine.syncOf(table.name);
    for (const id of ids.slice(at, at + AT_ONCE)) {
      const row = select.get(id, ...values);
      if (row) yield row as Record<string, Stored>;
    }
  }
}

/** How many of these ids match the filter. */
export async function countOfIds(engine: Engine, table: Table, filter: Filter, ids: readonly string[], turn: Turn): Promise<number> {
  let count = 0;
  for await (const _ of rowsOf(engine, table, filter, ids, '', turn)) count += 1;
  return count;
}

/** The rowids of a page of those that match, in its order. */
export async function rowidsOfIds(
  engine: Engine,
  table: Table,
  filter: Filter,
  ids: readonly string[],
  { sort = {}, skip, limit, turn }: Query & { sort?: Sort; skip: number; limit: number; turn: Turn },
): Promise<number[]> {
  const order = orderOf(table, filter, sort);
  const columns = order.map(({ column }, n) => `, ${column} AS k${n}`).join('');
  const found: { rowid: number; keys: Stored[] }[] = [];
  for await (const row of rowsOf(engine, table, filter, ids, columns, turn))
    found.push({ rowid: row['r'] as number, keys: order.map((_, n) => sortable(row[`k${n}`] ?? null)) });
  found.sort((one, other) => compare(order, one.keys, other.keys));
  return found.slice(skip, skip + limit).map(({ rowid }) => rowid);
}

/** Texts compare by code points in SQLite, and by halves of surrogate pairs in JavaScript: those stand behind all other characters then. */
const sortable = (value: Stored): Stored =>
  typeof value === 'string' && /[\ud800-\uffff]/.test(value)
    ? value.replace(/[\ud800-\uffff]/g, (unit) => {
        const code = unit.charCodeAt(0);
        return String.fromCharCode(code >= 0xe000 ? code - 0x800 : code + 0x2000);
      })
    : value;

function compare(order: readonly Step[], one: readonly Stored[], other: readonly Stored[]): number {
  for (const [n, { descending }] of order.entries()) {
    const by = compareValues(one[n] ?? null, other[n] ?? null);
    if (by !== 0) return descending ? -by : by;
  }
  return 0;
}

/** As SQLite orders values: null, numbers, texts. */
function compareValues(one: Stored, other: Stored): number {
  const [rank, otherRank] = [rankOf(one), rankOf(other)];
  if (rank !== otherRank || one === null || other === null) return rank - otherRank;
  return one < other ? -1 : one > other ? 1 : 0;
}

const rankOf = (value: Stored): number => (value === null ? 0 : typeof value === 'number' ? 1 : 2);
