import type { Copying, Engine, FirstFormat } from '@svc/embedded';
import { parseExact } from '@svc/kernel';
import type { Doc } from '../port.ts';
import { openTable, parametersOf, rowOf } from './table.ts';

// until 0.3: data folders of 0.1.0 have format 1

/** Copies the documents of a table of format 1, whose JSON holds each whole, in their order. */
export function copyCollection(engine: Engine, { table: unquoted, columns }: FirstFormat): Copying {
  const [database = '', collection = ''] = unquoted.split('.');
  const fields = columns.flatMap((column) => (column.startsWith('f_') ? [column.slice(2)] : []));
  const table = openTable(engine, { database, collection, indexes: [], texts: [], fields });
  const insert = engine.sql(
    `INSERT INTO ${table.name} (rowid, ${table.columns}) VALUES (?${', ?'.repeat(table.columns.split(',').length)})`,
  );
  const newest = engine.sql(`SELECT max(rowid) AS newest FROM ${table.name}`);
  return {
    newest: () => (newest.get()?.['newest'] as number | null) ?? undefined,
    copy(rows) {
      const made = rows.map(({ rowid, body }) => [rowid as number, rowOf(table, parseExact(body as string) as Doc)] as const);
      return engine.write(() => {
        for (const [rowid, row] of made) insert.run(rowid, ...parametersOf(table, row));
      });
    },
  };
}
