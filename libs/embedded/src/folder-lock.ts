import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPrivately } from './private-file.ts';

/**
 * Locks a data folder for this process by an exclusive SQLite transaction on a file of its own; the kernel releases the lock when the
 * process ends. Throws when another process holds it. Returns the function that unlocks.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock.sqlite');
  createPrivately(path);
  const lock = new DatabaseSync(path, { timeout: 2000 });
  try {
    lock.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (/locked|busy/i.test(String(error)))
      throw new Error(`another process uses the data folder ${folder}: stop it, or choose another DATA_DIR`);
    throw error;
  }
  return () => lock.close();
}
