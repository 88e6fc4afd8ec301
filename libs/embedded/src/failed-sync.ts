import { writeSync } from 'node:fs';

/** SQLite's codes of a sync that failed. */
const SYNC_FAILED = [1034, 1290];
export const isSyncFailure = (error: unknown): boolean => SYNC_FAILED.includes((error as { errcode?: number }).errcode ?? 0);

/** The kernel has dropped what was not synced, and reports it once: a second sync would succeed without it. */
export function endProcess(path: string, error: Error): never {
  writeSync(
    2,
    `${path} could not be synced to its disk: ${error.message}. What was acknowledged is stored. Check the disk, then start again.\n`,
  );
  process.exit(1);
}
