import type { Engine, Statement } from '@svc/embedded';
import { checkFields } from '../declared.ts';
import type { Doc, Indexed } from '../port.ts';
import { columnOf, indexedOf, textColumn, type Table } from './table.ts';

/** The statements that read fields: by one `_id`, and by a JSON array of them. */
interface Reads {
  one: Statement;
  some: Statement;
}

/** See the port's `indexed`. */
export function fieldsReader<D extends Doc>(engine: Engine, table: Table) {
  /** By the fields. */
  const known = new Map<string, Reads>();

  function readsOf(fields: readonly string[]): Reads {
    const key = fields.join();
    const found = known.get(key);
    if (found) return found;
    checkFields(table, fields);
    const columns = ['_id', 'version', ...fields.map((field) => columnFor(table, field))];
    const select = `SELECT ${columns.join()} FROM ${table.name} WHERE _id`;
    const made = { one: engine.sql(`${select} = ?`), some: engine.sql(`${select} IN (SELECT value FROM json_each(?))`) };
    known.set(key, made);
    return made;
  }

  return async <F extends string & keyof D>(ids: readonly string[], fields: readonly F[]): Promise<Indexed<D, F>[]> => {
    const { one, some } = readsOf(fields);
    const [id = ''] = ids;
    const rows = ids.length === 1 ? one.all(id) : some.all(JSON.stringify(ids));
    return rows.map((row) => indexedOf<D, F>(table, row, fields));
  };
}

/** A text that was declared after its row was written is in the body. */
function columnFor(table: Table, field: string): string {
  if (!table.texts.includes(field)) return columnOf(table, field);
  const [column, path] = [textColumn(field), `'$.${field}'`];
  return `coalesce(${column}, iif(json_type(unpacked(body), ${path}) = 'text', unpacked(body) ->> ${path}, NULL)) AS ${column}`;
}
