import { statfsSync } from 'node:fs';

/** Free bytes of the disk that a folder is on, as an unprivileged process may use them. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Whole MiB, rounded up. */
export const inMiB = (bytes: number): number => Math.ceil(bytes / 1_048_576);
