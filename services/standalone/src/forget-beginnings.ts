import type { DatabaseSync } from 'node:sqlite';
import { BEGINNING } from '@svc/document-store/restored';

/** Removes from a copy of a database what shows a process that it has run on it: the next one finds that it is restored (`findRestored`). Of any format. */
export function forgetBeginnings(copy: DatabaseSync, databases: readonly string[]): void {
  const tables = new Set(
    copy
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => name),
  );
  for (const table of databases.map((database) => `${database}.${BEGINNING}`)) if (tables.has(table)) copy.exec(`DELETE FROM "${table}"`);
}
