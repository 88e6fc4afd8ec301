import { closeSync, existsSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { changedPages } from '@svc/embedded';
import type { Base } from './continuous-copy.ts';
import { recordEncoder, recordsOf, type Found } from './record.ts';

/** In a backup from which the continuous copy leads on: the pages of the database before it was marked as restored, as one record. */
export const BASE = 'base.pages';
const WAL_HEADER = 32;

/**
 * Changes a copy of the database by `work`. Returns the pages that it had before, of those that are changed, and their size: with them the records of a continuous
 * copy fit again. The copy is one file without a WAL then.
 */
export function changingCopy(path: string, work: (copy: DatabaseSync) => void) {
  const copy = new DatabaseSync(path);
  try {
    const pageSize = Number(copy.prepare('PRAGMA page_size').get()?.['page_size']);
    copy.exec('PRAGMA wal_autocheckpoint=0');
    work(copy);
    const wal = existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`).subarray(WAL_HEADER) : Buffer.alloc(0);
    const changed = [...changedPages(wal, pageSize).pages.keys()];
    const total = statSync(path).size / pageSize;
    const pages = pagesOf(path, pageSize, [1, ...changed.filter((n) => n > 1 && n <= total)]);
    copy.exec('PRAGMA journal_mode=DELETE');
    return { pages, total, pageSize };
  } finally {
    copy.close();
  }
}

function pagesOf(path: string, pageSize: number, numbers: readonly number[]): Map<number, Buffer> {
  const file = openSync(path, 'r'); // Closing it drops SQLite's locks on the copy, which only this process has open.
  try {
    return new Map(
      numbers.map((n) => {
        const page = Buffer.alloc(pageSize);
        readSync(file, page, 0, pageSize, (n - 1) * pageSize);
        return [n, page];
      }),
    );
  } finally {
    closeSync(file);
  }
}

/** Writes what makes a backup a base. `at`: the first second to which it can be restored, in milliseconds since 1970. */
export async function writeBase(
  folder: string,
  { chain, after, at }: Base & { at: number },
  before: ReturnType<typeof changingCopy>,
): Promise<void> {
  const { pages, total, pageSize } = before;
  const header = { chain, n: after, at, position: { salts: '', frames: 0 }, total };
  writeFileSync(join(folder, BASE), await recordEncoder()(header, { pages, total }, pageSize), { mode: 0o600 });
}

/** Undefined: no base, or not a whole one. */
export async function baseIn(backup: string): Promise<Found | undefined> {
  const names = await readdir(backup);
  return names.includes(BASE) ? (await recordsOf(join(backup, BASE)))[0] : undefined;
}

/** Of the backups with these names. */
export async function basesOf(folder: string, names: readonly string[]): Promise<Base[]> {
  const found = await Promise.all(names.map((name) => baseIn(join(folder, name))));
  return found.flatMap((base) => (base ? [{ chain: base.header.chain, after: base.header.n }] : []));
}

const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ';

/** The verified backups of a system in a folder, or of all systems, by name. */
export async function backupsIn(folder: string, system = '[^.]+'): Promise<string[]> {
  const pattern = new RegExp(`^${system}-${TIME}$`);
  return (await readdir(folder)).filter((name) => pattern.test(name)).sort();
}
