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

/** Of rows, in the order in which they are given. */
const idsAt = (engine: Engine, table: Table, rowids: readonly number[]): string[] =>
  engine
    .sql(`SELECT _id FROM json_each(?) AS found CROSS JOIN ${table.name} AS row ON row.rowid = found.value ORDER BY found.key`)
    .all(JSON.stringify(rowids))
    .map((row) => row['_id'] as string);

/** As `pageOf`, of documents that are found already. */
export function pageAt<D>(engine: Engine, table: Table, rowids: readonly number[], bytes: number): Page<D> {
  const select = engine.sql(`SELECT ${table.columns} FROM ${table.name} WHERE rowid = ?`);
  const { docs, at } = fitting<D>(table, rowids, (rowid) => select.get(rowid), bytes);
  return { docs, left: at === rowids.length ? [] : idsAt(engine, table, rowids.slice(at)) };
}

type Key = string | number;

/** The first of the documents that are found already, as long as they fit, and how many were looked at for them. One that was deleted in a turn between is skipped. */
function fitting<D>(table: Table, keys: readonly Key[], rowAt: (key: Key) => StoredRow | undefined, bytes: number) {
  const docs: D[] = [];
  let [at, size] = [0, 0];
  for (const key of keys) {
    const row = rowAt(key);
    if (row) size += sizeOf(table, row);
    if (size > bytes) break;
    if (row) docs.push(docOf<D>(table, row));
    at += 1;
  }
  return { docs, at };
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

/** Each id by itself, as the outer loop, some with a turn between: one statement for all would hold up others, and `_id IN` may read by an index of another field. */
async function* rowsOf(
  engine: Engine,
  table: Table,
  filter: Filter,
  ids: readonly string[],
  columns: readonly string[],
  turn: Turn,
): AsyncGenerator<StoredRow[]> {
  const { _id: condition, ...others } = filter;
  const { $in: _, ...range } = condition as Exclude<Condition, Scalar>;
  const { text, values } = whereOf(table, Object.keys(range).length === 0 ? others : { ...others, _id: range });
  const listed = 'FROM (SELECT value AS listed FROM json_each(?)) CROSS JOIN';
  const select = engine.sql(`SELECT ${['_id AS id', ...columns].join()} ${listed} ${table.name} ON _id = listed WHERE ${text}`);
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    if (at > 0) await turn(0);
    await engine.syncOf(table.name);
    yield select.all(JSON.stringify(ids.slice(at, at + AT_ONCE)), ...values);
  }
}

/** How many of these ids match the filter. */
export async function countOfIds(engine: Engine, table: Table, filter: Filter, ids: readonly string[], turn: Turn): Promise<number> {
  let count = 0;
  for await (const rows of rowsOf(engine, table, filter, ids, [], turn)) count += rows.length;
  return count;
}

/** As `pageOf`, of those of these ids that match the filter. */
export async function pageOfIds<D>(
  engine: Engine,
  table: Table,
  filter: Filter,
  ids: readonly string[],
  { sort = {}, skip, limit, turn, bytes }: Required<Pick<Query, 'skip' | 'limit' | 'turn'>> & { sort?: Sort; bytes: number },
): Promise<Page<D>> {
  const order = orderOf(table, filter, sort);
  const columns = order.map(({ column }, n) => `${column} AS k${n}`);
  const found: { id: string; keys: Stored[] }[] = [];
  for await (const rows of rowsOf(engine, table, filter, ids, columns, turn))
    for (const row of rows) found.push({ id: row['id'] as string, keys: order.map((_, n) => sortable((row[`k${n}`] ?? null) as Stored)) });
  found.sort((one, other) => compare(order, one.keys, other.keys));
  const inOrder = found.slice(skip, skip + limit).map(({ id }) => id);
  const { docs, at } = fitting<D>(table, inOrder, (id) => table.get.get(id), bytes);
  return { docs, left: inOrder.slice(at) };
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
