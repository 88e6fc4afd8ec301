import { closeSync, existsSync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';

const PIECE = 1_048_576;

/**
 * Writes the WAL of a database that no process writes once more, as it is, and syncs it. What an earlier process committed may not be on the disk, and where its
 * sync failed the kernel takes it for stored: it would be read, copied into the database and lost in the WAL, and a power cut amid the copy would damage the file.
 */
export function rewriteWal(path: string): void {
  if (!existsSync(path)) return;
  const file = openSync(path, 'r+'); // It has no POSIX lock that closing it could drop.
  try {
    const piece = Buffer.allocUnsafe(PIECE);
    for (let [at, read] = [0, 0]; (read = readSync(file, piece, 0, PIECE, at)) > 0;) at += writeSync(file, piece, 0, read, at);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}
