// What a stopped data folder holds, whatever its tables and indexes are called.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const fileOf = (folder) => join(folder, 'data.sqlite');

/**
 * The size of the database after a checkpoint, and by table or index its entries and bytes. They are counted in the pages themselves (`dbstat`), so that a
 * partial index counts what it holds. A row stands in a leaf, an entry of an index (or of a table without rowid) in any page of its tree.
 */
export function storedIn(folder) {
  const db = new DatabaseSync(fileOf(folder));
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const kinds = db.prepare(
    "SELECT s.name, s.type, l.wr FROM sqlite_schema s LEFT JOIN pragma_table_list l USING (name) WHERE s.type IN ('table', 'index')",
  );
  const pages = db.prepare(
    "SELECT sum(iif(pagetype = 'leaf', ncell, 0)) AS leaf, sum(ncell) AS every, sum(pgsize) AS bytes FROM dbstat WHERE name = ?",
  );
  const trees = new Map();
  for (const { name, type, wr } of kinds.all()) {
    const { leaf, every, bytes } = pages.get(name);
    trees.set(name, { type, entries: type === 'table' && !wr ? leaf : every, bytes });
  }
  db.close();
  return { bytes: statSync(fileOf(folder)).size, trees };
}

/**
 * Keeps every frame that a started process writes to its WAL from now on: while a reader holds a snapshot, the WAL is not begun again from its start.
 * `bytes`: of its file, which therefore only grows.
 */
export function holdWal(folder) {
  const db = new DatabaseSync(fileOf(folder), { readOnly: true });
  db.exec('BEGIN');
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
  return { bytes: () => statSync(`${fileOf(folder)}-wal`, { throwIfNoEntry: false })?.size ?? 0, release: () => db.close() };
}
