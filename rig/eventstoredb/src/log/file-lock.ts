import { DatabaseSync } from 'node:sqlite';

/** How long to wait for the locks of a process that was just killed, in milliseconds. */
const WAIT_MS = 2_000;

/**
 * Locks a file for this process by an exclusive SQLite transaction on a file beside it; the kernel releases the lock when the process ends.
 * Throws when another process holds it. Returns the function that unlocks.
 */
export function lockFile(path: string): () => void {
  const lock = new DatabaseSync(`${path}.lock`, { timeout: WAIT_MS });
  try {
    lock.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw new Error(`another process uses ${path}, perhaps one that is still stopping`, { cause: error });
  }
  return () => lock.close();
}
