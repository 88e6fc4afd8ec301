import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '@svc/kernel';
import { StartError } from './start-error.ts';

const TIMEOUT_MS = 5_000;

/**
 * Creates `DATA_DIR` if needed and writes a file to it. Throws a `StartError` with the reason if it cannot be used. Kills the process after 5 s
 * if the filesystem does not respond, because neither an exception nor `process.exit` ends a blocked system call.
 */
export async function useDataFolder(folder: string, clock: Pick<Clock, 'after'>): Promise<void> {
  const cancel = clock.after(TIMEOUT_MS, () => {
    writeSync(
      2,
      `DATA_DIR ${folder} does not answer: is it on a filesystem that is away (NFS, a USB disk)? Mount it again, or choose another DATA_DIR\n`,
    );
    process.kill(process.pid, 'SIGKILL');
  });
  try {
    await writeTo(folder);
  } catch (error) {
    throw new StartError(`DATA_DIR ${folder} ${await inWords(folder, error as NodeJS.ErrnoException)}`);
  } finally {
    cancel();
  }
}

async function writeTo(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const probe = join(folder, `.writable-${randomBytes(6).toString('hex')}`);
  await writeFile(probe, 'x', { mode: 0o600 });
  await rm(probe);
}

async function inWords(folder: string, { code = 'unknown' }: NodeJS.ErrnoException): Promise<string> {
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    const file = await nearestFile(folder);
    return `cannot be a folder: ${file} is a file. Move it, or choose another DATA_DIR`;
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') return `cannot be written to: there is no room left on its disk (${code})`;
  if (code === 'EROFS') return `cannot be written to: its filesystem is read-only. Choose another DATA_DIR`;
  return `cannot be written to by this user (${code}). Give the user the right, or choose another DATA_DIR`;
}

async function nearestFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined || dirname(path) === path) return path;
  return nearestFile(dirname(path));
}
