import type { Engine, Names, Phrases, Statement } from '@svc/embedded';
import { parseExact } from '@svc/kernel';
import { checkNames, type Declared } from '../declared.ts';
import type { Doc, Index, Indexed } from '../port.ts';
import { inStoreSpan } from '../store-span.ts';
import { CODED, codeOrName, fillCodes, withCode } from '@svc/embedded/packing/names';
import { isExact, type Parameter, short, stored } from './scalar.ts';

/**
 * The rowid table `<database>.<collection>` of one collection: `_id`, `version`, a column `f_<field>` for every field that an index has ever declared, so
 * that every index covers every document, a column `t_<field>` for every text, and the rest of the document as JSON. What a column holds exactly is
 * not repeated in the JSON; a text that was declared after its row was written is there, and counts. A text `a.b` is in the column `t_a.b`. The texts and the JSON are packed. The fields of `CODED`
 * have a column `n_<field>` of codes instead.
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
  /** Those of `fields` whose columns hold codes. */
  coded: string[];
  /** Where they are among the statements' parameters. */
  codedAt: number[];
  /** Texts with a column, after the fields. */
  texts: string[];
  /** Of each field that has a column: whether that holds a value. */
  holds: ReadonlyMap<string, (value: unknown) => boolean>;
  /** Of each text within an object: the object's field, and its own. */
  within: ReadonlyMap<string, readonly [outer: string, inner: string]>;
  /** The columns of which `docOf` makes the document, for SQL. */
  columns: string;
  /** Does nothing when the `_id` or a unique index's values exist. Parameters: `parametersOf`. */
  insert: Statement;
  /** Only over a lower version. Parameters: `parametersOf`. */
  put: Statement;
  get: Statement;
  delete: Statement;
  /** Only this version. Parameters: `_id`, version. */
  deleteVersion: Statement;
  /** Of the engine. */
  phrases: Phrases;
  names: Names;
  /** Runs a statement's work in a span where a request is traced. `BATCH`: statements of several kinds. */
  spanned: <T>(operation: 'SELECT' | 'INSERT' | 'UPDATE' | 'BATCH', work: () => Promise<T>) => Promise<T>;
}

/** A row of the table's `columns`. */
export type StoredRow = Record<string, unknown>;
type Fields = Record<string, unknown>;

const quoted = (name: string): string => `"${name}"`;

const isOwn = (field: string): boolean => field === '_id' || field === 'version';
const columnIn = ({ coded }: Pick<Table, 'coded'>, field: string): string =>
  isOwn(field) ? field : `${coded.includes(field) ? 'n' : 'f'}_${field}`;
/** Quoted, for SQL. */
export const columnOf = (table: Pick<Table, 'coded'>, field: string): string => quoted(columnIn(table, field));
export const textColumn = (field: string): string => quoted(`t_${field}`);
/** Quoted, for SQL. */
export const textColumns = ({ texts }: Pick<Table, 'texts'>): string[] => texts.map(textColumn);
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
  /** Fields that have a column beside those of the indexes. */
  fields?: readonly string[];
}

const OWN_COLUMNS = ['rowid INTEGER PRIMARY KEY', '_id TEXT NOT NULL UNIQUE', 'version INTEGER NOT NULL', 'body TEXT NOT NULL'];

/** Creates the table, columns and indexes that do not exist yet; fills a new column of an old table from its documents. */
export function openTable(engine: Engine, { database, collection, indexes, texts: declared, fields: more = [] }: OpenTable): Table {
  const unquoted = `${database}.${collection}`;
  const name = quoted(unquoted);
  checkNames(database, collection, [...indexes, { fields: declared.flatMap((field) => field.split('.', 2)) }]);

  const present = (engine.sql('SELECT name FROM pragma_table_info(?)').all(unquoted) as { name: string }[]).map(
    ({ name: column }) => column,
  );
  const having = (prefix: string): string[] => present.flatMap((column) => (column.startsWith(prefix) ? [column.slice(2)] : []));
  const texts = having('t_');
  const declaredFields = [...new Set([...having('f_'), ...having('n_'), ...more, ...indexes.flatMap((index) => index.fields)])];
  const fields = declaredFields.filter((field) => !isOwn(field));
  const coded = fields.filter((field) => CODED.includes(field));
  const codedAt = coded.map((field) => FIRST_FIELD + fields.indexOf(field));
  const all = { fields, coded, codedAt, ...heldBy(fields, [...new Set([...texts, ...declared])]) };
  const column = (field: string): string => columnOf(all, field);
  const added = fields.filter((field) => !present.includes(columnIn(all, field)));
  const addedTexts = declared.filter((field) => !texts.includes(field));
  const typed = (field: string): string => `${column(field)}${coded.includes(field) ? ' INTEGER' : ''}`;
  const newColumns = [...added.map(typed), ...addedTexts.map(textColumn)];
  const inBody = (field: string): string => `json_extract(unpacked(body), '$.${field}')`;
  const filled = (field: string): string =>
    coded.includes(field) ? fillCodes(name, column(field), inBody(field)) : `UPDATE ${name} SET ${column(field)} = ${inBody(field)}`;
  // Each ALTER TABLE compiles the whole schema anew.
  const ddl =
    present.length === 0
      ? [`CREATE TABLE ${name} (${[...OWN_COLUMNS, ...newColumns].join()})`]
      : [...newColumns.map((one) => `ALTER TABLE ${name} ADD COLUMN ${one}`), ...added.map(filled)];
  if (ddl.length > 0) engine.define(ddl.join(';\n'));
  buildIndexes(engine, { name, unquoted, indexes, column });
  const spanned: Table['spanned'] = (operation, work) =>
    inStoreSpan(() => ({ system: 'sqlite', operation, collection, namespace: database }), work);
  const { phrases, names } = engine;
  return { name, unquoted, indexes, phrases, names, spanned, ...all, ...statements(engine, name, all) };
}

function heldBy(fields: readonly string[], texts: string[]): Pick<Table, 'texts' | 'holds' | 'within'> {
  const paths = texts.map((text) => [text, text.split('.', 2)] as const);
  const within = new Map(paths.flatMap(([text, [outer = '', inner]]) => (inner === undefined ? [] : [[text, [outer, inner] as const]])));
  const whole = texts.filter((text) => !within.has(text));
  const own = ['_id', 'version'].map((field) => [field, () => true] as const);
  return {
    texts,
    within,
    holds: new Map([...whole.map((text) => [text, isText] as const), ...fields.map((field) => [field, isExact] as const), ...own]),
  };
}

/** Rows of a table of which a new index is logged: it takes some tenths of a second, two seconds for a million. */
const MANY = 100_000;

interface Built extends Pick<Table, 'name' | 'unquoted' | 'indexes'> {
  /** Of a field, quoted. */
  column(field: string): string;
}

/** In a large table each in a transaction of its own, with a line in the log: a start that ends early leaves those that are built. */
function buildIndexes(engine: Engine, { name, unquoted, indexes, column }: Built): void {
  const there = engine.sql('SELECT name FROM pragma_index_list(?)').all(unquoted);
  const missing = indexes.filter((index) => !there.some(({ name: one }) => quoted(one as string) === indexName(unquoted, index)));
  if (missing.length === 0) return;
  const ddl = (index: Index): string =>
    `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${indexName(unquoted, index)} ON ${name} (${index.fields.map(column).join()})${
      index.present === undefined ? '' : ` WHERE ${column(index.present)} IS NOT NULL`
    }`;
  const highest = engine.sql(`SELECT max(rowid) AS rowid FROM ${name}`).get()?.['rowid'] as number | null;
  const rows = (highest ?? 0) < MANY ? 0 : (engine.sql(`SELECT count(*) AS n FROM ${name}`).get()?.['n'] as number);
  if (rows < MANY) return engine.define(missing.map(ddl).join(';'));
  for (const index of missing) {
    const { fields } = index;
    engine.logger.info({ collection: unquoted, fields, rows }, 'an index of a collection is being built; the start waits for it');
    engine.define(ddl(index));
  }
}

/** The place of the first field among a row's values: behind `_id`, version and body. */
const FIRST_FIELD = 3;

function statements(
  engine: Engine,
  name: string,
  all: Pick<Table, 'fields' | 'coded' | 'texts'>,
): Pick<Table, 'columns' | 'insert' | 'put' | 'get' | 'delete' | 'deleteVersion'> {
  const written = ['_id', 'version', 'body', ...all.fields.map((field) => columnOf(all, field)), ...textColumns(all)];
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

/**
 * Inside a write: stores a changed document over its row. Columns of unchanged fields and their indexes are not written; texts are, since a row may be older than
 * the column.
 */
export function rewrite(engine: Engine, table: Table, rowid: number, doc: Doc, changed: object): void {
  const all = doc as unknown as Fields;
  const fields = table.fields.filter((field) => field in changed);
  const columns = ['version', 'body', ...fields.map((field) => columnIn(table, field)), ...table.texts.map((field) => `t_${field}`)];
  const values = [
    ...fields.map((field) => {
      const value = valueOf(table, field, all[field]);
      return table.coded.includes(field) ? withCode(table.names, value) : value;
    }),
    ...table.texts.map((field) => textIn(table, all, field)),
  ];
  const set = columns.map((column) => `${quoted(column)} = ?`);
  engine.sql(`UPDATE ${table.name} SET ${set.join()} WHERE rowid = ?`).run(doc.version, bodyOf(table, all), ...values, rowid);
}

/** The document as the table's columns, with names that have no code yet. Throws when an indexed field holds no scalar, a coded one no text. */
export function rowOf(table: Table, doc: Doc): Parameter[] {
  const all = doc as unknown as Fields;
  const row: Parameter[] = [doc._id, doc.version, bodyOf(table, all)];
  for (const field of table.fields) row.push(valueOf(table, field, all[field]));
  for (const field of table.texts) row.push(textIn(table, all, field));
  return row;
}

/** Inside a write: the statements' parameters for a row of `rowOf`. The row stays as it is, because a repeated write may find other codes. */
export function parametersOf({ names, codedAt }: Table, row: Parameter[]): Parameter[] {
  if (!codedAt.some((at) => typeof row[at] === 'string')) return row;
  return row.map((value, at) => (codedAt.includes(at) ? withCode(names, value) : value));
}

const valueOf = ({ coded, names }: Table, field: string, value: unknown): Parameter =>
  coded.includes(field) ? codeOrName(names, field, value) : short(stored(value));

function textIn({ phrases, within }: Table, doc: Fields, field: string): Parameter {
  const path = within.get(field);
  const value = path ? objectOf(doc[path[0]])?.[path[1]] : doc[field];
  return isText(value) ? phrases.pack(value) : null;
}
const objectOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();

/** What no column holds. */
function bodyOf({ holds, within, phrases }: Table, doc: Fields): Parameter {
  const rest: Fields = {};
  for (const field in doc) {
    const value = doc[field];
    if (!holds.get(field)?.(value)) rest[field] = value;
  }
  for (const [outer, inner] of within.values()) {
    const { [inner]: text, ...others } = objectOf(rest[outer]) ?? {};
    if (isText(text)) rest[outer] = others;
  }
  return phrases.pack(JSON.stringify(rest));
}

export function docOf<D>(table: Table, row: StoredRow): D {
  const doc: Fields = { _id: row['_id'], version: row['version'] };
  for (const field of table.fields) setField(table, doc, row, field);
  const body = unpacked(table, row, 'body');
  if (body !== '{}') Object.assign(doc, parseExact(body));
  for (const field of table.texts) if (row[`t_${field}`] !== null) setText(table, doc, field, unpacked(table, row, `t_${field}`));
  return doc as D;
}

function setText({ within }: Table, doc: Fields, field: string, text: string): void {
  const path = within.get(field);
  if (path === undefined) doc[field] = text;
  else doc[path[0]] = { ...objectOf(doc[path[0]]), [path[1]]: text };
}

/** The document's indexed fields and texts, of a row that has their columns. */
export const indexedOf = <D extends Doc, F extends string & keyof D>(table: Table, row: StoredRow, fields: readonly F[]): Indexed<D, F> => {
  const doc: Fields = { _id: row['_id'], version: row['version'] };
  for (const field of fields) {
    if (!table.texts.includes(field)) setField(table, doc, row, field);
    else if (row[`t_${field}`] !== null) doc[field] = unpacked(table, row, `t_${field}`);
  }
  return doc as Indexed<D, F>;
};

/** Of the field's column; leaves it absent where that is empty. */
function setField({ coded, names }: Table, doc: Fields, row: StoredRow, field: string): void {
  const value = row[columnIn({ coded }, field)];
  if (value !== null) doc[field] = coded.includes(field) ? names.nameOf(value as number) : value;
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
