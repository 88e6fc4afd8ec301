import type { Engine, Statement } from '@svc/embedded';
import { checkNames, type Declared } from '../declared.ts';
import type { Doc, Index } from '../port.ts';
import { inStoreSpan } from '../store-span.ts';
import { stored, type Stored } from './scalar.ts';

/**
 * The rowid table `<database>.<collection>` of one collection: `_id`, `version`, the document as JSON, and a column `f_<field>` for
 * every field that an index has ever declared, so that every index covers every document.
 */
export interface Table extends Declared {
  /** Quoted, for SQL. */
  readonly name: string;
  /** The fields of indexes that this process declared, which filters and sorts may name. */
  indexes: readonly Index[];
  /** Fields with a column, in the order of the statements' parameters. */
  fields: string[];
  /** Does nothing when the `_id` or a unique index's values exist. Parameters: `rowOf`. */
  insert: Statement;
  /** Only over a lower version. Parameters: `rowOf`. */
  put: Statement;
  get: Statement;
  delete: Statement;
  /** Only this version. Parameters: `_id`, version. */
  deleteVersion: Statement;
  /** Runs a statement's work in a span where a request is traced. `BATCH`: statements of several kinds. */
  spanned: <T>(operation: 'SELECT' | 'INSERT' | 'UPDATE' | 'BATCH', work: () => Promise<T>) => Promise<T>;
}

const quoted = (name: string): string => `"${name}"`;

export const columnOf = (field: string): string => (field === '_id' || field === 'version' ? field : quoted(`f_${field}`));
/** True where two documents may collide by more than `_id`. */
export const hasUnique = (table: Table): boolean => table.indexes.some(({ unique }) => unique);

/** Creates the table, columns and indexes that do not exist yet; fills a new column of an old table from its documents. */
export function openTable(engine: Engine, database: string, collection: string, indexes: readonly Index[]): Table {
  const unquoted = `${database}.${collection}`;
  const name = quoted(unquoted);
  checkNames(database, collection, indexes);

  const present = engine.sql('SELECT name FROM pragma_table_info(?)').all(unquoted) as { name: string }[];
  const fields = present.flatMap((column) => (column.name.startsWith('f_') ? [column.name.slice(2)] : []));
  const added = [...new Set(indexes.flatMap((index) => index.fields))].filter(
    (field) => columnOf(field) !== field && !fields.includes(field),
  );
  engine.define(
    [
      `CREATE TABLE IF NOT EXISTS ${name} (rowid INTEGER PRIMARY KEY, _id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, body TEXT NOT NULL)`,
      ...added.map((field) => `ALTER TABLE ${name} ADD COLUMN ${columnOf(field)}`),
      ...(present.length > 0 ? added : []).map((field) => `UPDATE ${name} SET ${columnOf(field)} = json_extract(body, '$.${field}')`),
      ...indexes.map(
        ({ fields: keys, unique }) =>
          `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${quoted(`${unquoted}(${keys.join()})${unique ? ' unique' : ''}`)}
           ON ${name} (${keys.map(columnOf).join()})`,
      ),
    ].join(';\n'),
  );
  const spanned: Table['spanned'] = (operation, work) =>
    inStoreSpan(() => ({ system: 'sqlite', operation, collection, namespace: database }), work);
  return { name, indexes, spanned, fields: [...fields, ...added], ...statements(engine, name, [...fields, ...added]) };
}

function statements(engine: Engine, name: string, fields: string[]): Pick<Table, 'insert' | 'put' | 'get' | 'delete' | 'deleteVersion'> {
  const columns = ['_id', 'version', 'body', ...fields.map(columnOf)];
  const insert = `INSERT INTO ${name} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`;
  const changed = columns.slice(1).map((column) => `${column} = excluded.${column}`);
  return {
    insert: engine.sql(`${insert} ON CONFLICT DO NOTHING`),
    put: engine.sql(`${insert} ON CONFLICT (_id) DO UPDATE SET ${changed.join()} WHERE excluded.version > version`),
    get: engine.sql(`SELECT body FROM ${name} WHERE _id = ?`),
    delete: engine.sql(`DELETE FROM ${name} WHERE _id = ?`),
    deleteVersion: engine.sql(`DELETE FROM ${name} WHERE _id = ? AND version = ?`),
  };
}

/** Stores a changed document over its row. Columns of unchanged fields and their indexes are not written. */
export function rewrite(engine: Engine, table: Table, rowid: number, doc: Doc, changed: object): void {
  const fields = table.fields.filter((field) => field in changed);
  const columns = ['version', 'body', ...fields.map(columnOf)].map((column) => `${column} = ?`);
  const values = fields.map((field) => stored((doc as unknown as Record<string, unknown>)[field]));
  engine.sql(`UPDATE ${table.name} SET ${columns.join()} WHERE rowid = ?`).run(doc.version, JSON.stringify(doc), ...values, rowid);
}

/** The document as the table's columns. Throws when an indexed field holds no scalar. */
export function rowOf(table: Table, doc: Doc): Stored[] {
  const row: Stored[] = [doc._id, doc.version, JSON.stringify(doc)];
  for (const field of table.fields) row.push(stored((doc as unknown as Record<string, unknown>)[field]));
  return row;
}
