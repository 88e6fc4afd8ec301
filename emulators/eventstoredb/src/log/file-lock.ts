import { DatabaseSync } from 'node:sqlite';

/** A process that was killed a moment ago lets its locks go within this. */
const WAIT_MS = 2_000;

/**
 * Keeps a file for this process, by a lock that the kernel lets go when the process ends, however it ends: an exclusive transaction on a
 * file beside it. Throws when another process has it. The answer lets it go.
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
