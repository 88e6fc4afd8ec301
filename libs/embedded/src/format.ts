import type { DatabaseSync } from 'node:sqlite';

/** The current format, stored in SQLite's `user_version`. A change of a table's shape increments it and adds a migration. */
export const FORMAT = 5;

/** Ports define their own tables. The two codes that SQLite stores in no byte are the most frequent. */
const TABLES = `
  CREATE TABLE phrases(code INTEGER PRIMARY KEY, phrase TEXT NOT NULL UNIQUE);
  CREATE TABLE names(code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  INSERT INTO names VALUES (0, 'live'), (1, 'test')`;

/** 0: the database is empty. */
export const formatOf = (db: DatabaseSync): number => (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;

/** Makes the tables of an empty database. Throws for one of another format. */
export function prepare(db: DatabaseSync): void {
  const found = formatOf(db);
  if (found === FORMAT) return;
  if (found > FORMAT) throw new Error(newerFormat(found));
  if (found > 0) throw new Error(`the data folder has format ${found}, which no release of this format wrote: choose another DATA_DIR`);
  db.exec(`BEGIN; ${TABLES}; PRAGMA user_version=${FORMAT}; COMMIT`);
}

/** What is wrong with a data folder of a later release. */
export const newerFormat = (found: number): string =>
  `the data folder has format ${found}, this version knows ${FORMAT}: start the newer version that made it, or choose another DATA_DIR`;
