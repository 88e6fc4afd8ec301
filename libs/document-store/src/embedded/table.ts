import type { Engine, Phrases, Statement } from '@svc/embedded';
import { parseExact } from '@svc/kernel';
import { checkNames, type Declared } from '../declared.ts';
import type { Doc, Index } from '../port.ts';
import { inStoreSpan } from '../store-span.ts';
import { isExact, stored, type Stored } from './scalar.ts';

/**
 * The rowid table `<database>.<collection>` of one collection: `_id`, `version`, a column `f_<field>` for every field that an index has ever declared, so
 * that every index covers every document, a column `t_<field>` for every text, and the rest of the document as JSON. What a column holds exactly is
 * not repeated in the JSON. Rows of format 1 hold the whole document there: what the JSON has counts. The texts and the JSON are packed.
 */
export interface Table extends Declared {
  /** Quoted, for SQL. */
  readonly name: string;
  /** The same without quotes. */
  readonly unquoted: string;
  /** The fields of indexes that this process declared, which filters and sorts may name. */
  indexes: readonly Index[];
  /** Fields with a column, in the order of the statements' parameters. */
  fields: string[];
  /** Texts with a column, after the fields. */
  texts: string[];
  /** The columns of which `docOf` makes the document, for SQL. */
  columns: string;
  /** Does nothing when the `_id` or a unique index's values exist. Parameters: `rowOf`. */
  insert: Statement;
  /** Only over a lower version. Parameters: `rowOf`. */
  put: Statement;
  get: Statement;
  delete: Statement;
  /** Only this version. Parameters: `_id`, version. */
  deleteVersion: Statement;
  /** Of the engine. */
  phrases: Phrases;
  /** Runs a statement's work in a span where a request is traced. `BATCH`: statements of several kinds. */
  spanned: <T>(operation: 'SELECT' | 'INSERT' | 'UPDATE' | 'BATCH', work: () => Promise<T>) => Promise<T>;
}

/** A row of the table's `columns`. */
export type StoredRow = Record<string, unknown>;
type Fields = Record<string, unknown>;

const quoted = (name: string): string => `"${name}"`;

export const columnOf = (field: string): string => (field === '_id' || field === 'version' ? field : quoted(`f_${field}`));
const textColumn = (field: string): string => quoted(`t_${field}`);
/** True where two documents may collide by more than `_id`. */
export const hasUnique = (table: Table): boolean => table.indexes.some(({ unique }) => unique);

/** Quoted, for SQL. `table`: not quoted. */
export const indexName = (table: string, { fields, unique }: Pick<Index, 'fields' | 'unique'>): string =>
  quoted(`${table}(${fields.join()})${unique ? ' unique' : ''}`);

export interface OpenTable {
  database: string;
  collection: string;
  indexes: readonly Index[];
  texts: readonly string[];
}

/** Creates the table, columns and indexes that do not exist yet; fills a new column of an old table from its documents. */
export function openTable(engine: Engine, { database, collection, indexes, texts: declared }: OpenTable): Table {
  const unquoted = `${database}.${collection}`;
  const name = quoted(unquoted);
  checkNames(database, collection, [...indexes, { fields: [...declared] }]);

  const present = (engine.sql('SELECT name FROM pragma_table_info(?)').all(unquoted) as { name: string }[]).map(
    ({ name: column }) => column,
  );
  const having = (prefix: string): string[] => present.flatMap((column) => (column.startsWith(prefix) ? [column.slice(2)] : []));
  const [fields, texts] = [having('f_'), having('t_')];
  const added = [...new Set(indexes.flatMap((index) => index.fields))].filter(
    (field) => columnOf(field) !== field && !fields.includes(field),
  );
  const addedTexts = declared.filter((field) => !texts.includes(field));
  engine.define(
    [
      `CREATE TABLE IF NOT EXISTS ${name} (rowid INTEGER PRIMARY KEY, _id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, body TEXT NOT NULL)`,
      ...[...added.map(columnOf), ...addedTexts.map(textColumn)].map((column) => `ALTER TABLE ${name} ADD COLUMN ${column}`),
      ...(present.length > 0 ? added : []).map(
        (field) => `UPDATE ${name} SET ${columnOf(field)} = json_extract(unpacked(body), '$.${field}')`,
      ),
      ...indexes.map(
        ({ fields: keys, unique, present: field }) =>
          `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${indexName(unquoted, { fields: keys, unique })}
           ON ${name} (${keys.map(columnOf).join()})${field === undefined ? '' : ` WHERE ${columnOf(field)} IS NOT NULL`}`,
      ),
    ].join(';\n'),
  );
  const spanned: Table['spanned'] = (operation, work) =>
    inStoreSpan(() => ({ system: 'sqlite', operation, collection, namespace: database }), work);
  const all = { fields: [...fields, ...added], texts: [...texts, ...addedTexts] };
  return { name, unquoted, indexes, phrases: engine.phrases, spanned, ...all, ...statements(engine, name, all) };
}

function statements(
  engine: Engine,
  name: string,
  { fields, texts }: Pick<Table, 'fields' | 'texts'>,
): Pick<Table, 'columns' | 'insert' | 'put' | 'get' | 'delete' | 'deleteVersion'> {
  const written = ['_id', 'version', 'body', ...fields.map(columnOf), ...texts.map(textColumn)];
  const insert = `INSERT INTO ${name} (${written.join()}) VALUES (${written.map(() => '?').join()})`;
  const changed = written.slice(1).map((column) => `${column} = excluded.${column}`);
  const columns = written.join();
  return {
    columns,
    insert: engine.sql(`${insert} ON CONFLICT DO NOTHING`),
    put: engine.sql(`${insert} ON CONFLICT (_id) DO UPDATE SET ${changed.join()} WHERE excluded.version > version`),
    get: engine.sql(`SELECT ${columns} FROM ${name} WHERE _id = ?`),
    delete: engine.sql(`DELETE FROM ${name} WHERE _id = ?`),
    deleteVersion: engine.sql(`DELETE FROM ${name} WHERE _id = ? AND version = ?`),
  };
}

/** Stores a changed document over its row. Columns of unchanged fields and their indexes are not written; texts are, since rows of format 1 have none. */
export function rewrite(engine: Engine, table: Table, rowid: number, doc: Doc, changed: object): void {
  const all = doc as unknown as Fields;
  const fields = table.fields.filter((field) => field in changed);
  const columns = ['version', 'body', ...fields.map(columnOf), ...table.texts.map(textColumn)].map((column) => `${column} = ?`);
  const values = [...fields.map((field) => stored(all[field])), ...table.texts.map((field) => textIn(table, all, field))];
  engine.sql(`UPDATE ${table.name} SET ${columns.join()} WHERE rowid = ?`).run(doc.version, bodyOf(table, all), ...values, rowid);
}

/** The document as the table's columns. Throws when an indexed field holds no scalar. */
export function rowOf(table: Table, doc: Doc): Stored[] {
  const all = doc as unknown as Fields;
  const row: Stored[] = [doc._id, doc.version, bodyOf(table, all)];
  for (const field of table.fields) row.push(stored(all[field]));
  for (const field of table.texts) row.push(textIn(table, all, field));
  return row;
}

function textIn({ phrases }: Table, doc: Fields, field: string): Stored {
  const value = doc[field];
  return isText(value) ? phrases.pack(value) : null;
}
const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();

/** What no column holds. */
function bodyOf({ fields, texts, phrases }: Table, doc: Fields): Stored {
  const rest: Fields = {};
  for (const field in doc) {
    const value = doc[field];
    const isInColumn =
      field === '_id' || field === 'version' || (fields.includes(field) && isExact(value)) || (texts.includes(field) && isText(value));
    if (!isInColumn) rest[field] = value;
  }
  return phrases.pack(JSON.stringify(rest));
}

/** The document of a row. */
export function docOf<D>(table: Table, row: StoredRow): D {
  const doc: Fields = { _id: row['_id'], version: row['version'] };
  for (const field of table.fields) if (row[`f_${field}`] !== null) doc[field] = row[`f_${field}`];
  for (const field of table.texts) if (row[`t_${field}`] !== null) doc[field] = unpacked(table, row, `t_${field}`);
  const body = unpacked(table, row, 'body');
  return (body === '{}' ? doc : { ...doc, ...(parseExact(body) as Fields) }) as D;
}

/** Approximate bytes of a row's document. */
export function sizeOf(table: Table, row: StoredRow): number {
  let size = Buffer.byteLength(unpacked(table, row, 'body')) + ROW_BYTES;
  for (const field of table.texts) size += Buffer.byteLength(unpacked(table, row, `t_${field}`));
  return size;
}
const ROW_BYTES = 200;

/** The text of a column, unpacked once; '' where there is none. */
function unpacked({ phrases }: Table, row: StoredRow, column: string): string {
  const stored = row[column];
  return stored === null ? '' : ((row[column] = phrases.unpack(stored as string)) as string);
}
