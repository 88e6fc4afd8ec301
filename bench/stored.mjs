// What a stopped data folder holds, whatever its tables and indexes are called.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** It stands twice at the start of the index, see https://www.sqlite.org/walformat.html. */
const HEADER_BYTES = 48;
const FRAME_HEADER_BYTES = 24;
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
 * Counts what a started process writes to its WAL from now on, by the header of the WAL's index: it holds the frames since the WAL was last begun anew. No
 * frame is written while that happens, so that looks each millisecond miss none.
 */
export function watchWal(folder) {
  const index = openSync(`${fileOf(folder)}-shm`, 'r');
  const header = Buffer.alloc(2 * HEADER_BYTES);
  let known;
  let bytes = 0;
  function look() {
    readSync(index, header, 0, header.length, 0);
    if (header.compare(header, 0, HEADER_BYTES, HEADER_BYTES) !== 0) return; // is being written
    const now = { pageBytes: header.readUInt16LE(14), frames: header.readUInt32LE(16), salt: header.toString('hex', 32, 40) };
    if (known) bytes += (now.frames - (now.salt === known.salt ? known.frames : 0)) * (FRAME_HEADER_BYTES + now.pageBytes);
    known = now;
  }
  look();
  const timer = setInterval(look, 1);
  return {
    bytes: () => (look(), bytes),
    stop() {
      clearInterval(timer);
      closeSync(index);
    },
  };
}
