import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '@svc/kernel';
import { StartError } from './start-error.ts';

const TIMEOUT_MS = 5_000;
interface Log {
  warn(fields: object, message: string): void;
}
/** Others may not remove what is not theirs: a folder that is everybody's, such as /tmp. */
const STICKY = 0o1000;

/**
 * Creates `DATA_DIR` if needed, writes a file to it, and takes the rights of others on the folder and its files away, also on those that an earlier
 * release made. Throws a `StartError` with the reason if it cannot be used. Kills the process after 5 s if the filesystem does not respond, because
 * neither an exception nor `process.exit` ends a blocked system call.
 */
export async function useDataFolder(folder: string, clock: Pick<Clock, 'after'>, logger: Log): Promise<void> {
  const cancel = clock.after(TIMEOUT_MS, () => {
    writeSync(
      2,
      `DATA_DIR ${folder} does not answer: is it on a filesystem that is away (NFS, a USB disk)? Mount it again, or choose another DATA_DIR\n`,
    );
    process.kill(process.pid, 'SIGKILL');
  });
  try {
    await writeTo(folder);
    await makePrivate(folder, logger);
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

/** Where it is not possible (files of another owner, a filesystem without rights), the log says so: their owner has to do it. */
async function makePrivate(folder: string, logger: Log): Promise<void> {
  if (((await stat(folder)).mode & STICKY) !== 0)
    return logger.warn({ folder }, 'DATA_DIR is a folder of everybody, whose rights stay as they are: choose one of its own');
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const wanted = [{ path: folder, mode: 0o700 }, ...files.map(({ name }) => ({ path: join(folder, name), mode: 0o600 }))];
  for (const { path, mode } of wanted) {
    try {
      await chmod(path, mode);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue; // a file that another process has just removed
      logger.warn({ path, err: error }, 'the rights of others on the data folder cannot be taken away');
    }
  }
}

async function inWords(folder: string, { code = 'unknown' }: NodeJS.ErrnoException): Promise<string> {
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    const file = await nearestFile(folder);
    return `cannot be a folder: ${file} is a file. Move it, or choose another DATA_DIR`;
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') return `cannot be written to: there is no space left on its disk (${code})`;
  if (code === 'EROFS') return `cannot be written to: its filesystem is read-only. Choose another DATA_DIR`;
  return `cannot be written to by this user (${code}). Give the user the right, or choose another DATA_DIR`;
}

async function nearestFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined || dirname(path) === path) return path;
  return nearestFile(dirname(path));
}
