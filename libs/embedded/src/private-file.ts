import { closeSync, existsSync, openSync } from 'node:fs';

/**
 * Creates a database's file so that only its owner can read and write it, unless it is there: SQLite would leave that to the process's umask. It gives the
 * files beside it the same rights. Opens no file that is there: closing one that SQLite has open would drop its locks.
 */
export function createPrivately(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}
