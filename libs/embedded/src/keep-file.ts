import { closeSync, constants, copyFileSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Of file systems without hard links. */
const WITHOUT_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Keeps a file under another name in its folder: `a.sqlite`, or `a-2.sqlite` and so on where another file has that name. Returns the path. The file stays
 * under its own name as well, which another file can then take in one step. Takes no space where the file system has hard links, else as much as the
 * file. Repeated, it keeps the file once.
 */
export function keepFile(path: string, name: string): string {
  const [, stem = name, extension = ''] = /^(.*)(\.[^.]*)$/.exec(name) ?? [];
  for (let n = 1; ; n += 1) {
    const kept = join(dirname(path), n === 1 ? name : `${stem}-${n}${extension}`);
    if (isKept(path, kept)) return kept;
  }
}

/** False: the name belongs to another file. */
function isKept(path: string, kept: string): boolean {
  try {
    linkSync(path, kept);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return statSync(path).ino === statSync(kept).ino;
    if (!WITHOUT_LINKS.includes(code)) throw error;
  }
  const part = `${kept}.part`;
  rmSync(part, { force: true });
  copyFileSync(path, part, constants.COPYFILE_FICLONE);
  const file = openSync(part, 'r+');
  fsyncSync(file);
  closeSync(file);
  renameSync(part, kept);
  return true;
}
