import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/**
 * Opens the database of a data folder for reading, also while a process runs on it; undefined where there is none. Changes nothing in the folder: where no
 * WAL has anything, the file is read as it is, without locks and without files beside it.
 */
export function readFolder(folder: string): DatabaseSync | undefined {
  const path = join(folder, 'data.sqlite');
  if (!existsSync(path) || statSync(path).size === 0) return undefined;
  const [url, wal] = [pathToFileURL(path), `${path}-wal`];
  if (!existsSync(wal) || statSync(wal).size === 0) url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}
