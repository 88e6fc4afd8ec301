import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freeBytesOf, inMiB } from '@svc/embedded';
import { iso, millisOf } from '@svc/kernel';
import { forgetBeginnings } from '../forget-beginnings.ts';
import { syncFolder } from '../private-files.ts';
import { SECRETS, SECRETS_OMITTED } from '../secrets.ts';
import { BASE } from './base.ts';
import { pointAt, rangesOf, type Range } from './ranges.ts';
import type { Found } from './record.ts';

export interface RestoreOptions {
  /** BACKUP_FOLDER. */
  from: string;
  /** An ISO 8601 time; its second counts. The last second that is copied where it is absent. */
  to?: string | undefined;
  /** A data folder that has no database yet. */
  into: string;
  /** Begins the names of its backups. May be absent where the folder has those of one system. */
  system?: string | undefined;
  /** The databases of the services. */
  databases: readonly string[];
}

const DATA = 'data.sqlite';

/**
 * Makes a data folder as the system was at a second: with all that was committed before it, and nothing later. The next start on it finds that it was restored. Throws, before
 * it writes anything, where that second is not copied, where the folder has a database, and where space is missing.
 */
export async function restoreTo({ from, to, into, system, databases }: RestoreOptions) {
  const ranges = await rangesOf(from, system ?? (await onlySystem(from)));
  const { range, records } = pointAt(ranges, to === undefined ? (ranges.at(-1)?.to ?? NaN) : secondOf(to));
  await mkdir(into, { recursive: true, mode: 0o700 });
  checkFolder(into, range);
  const part = join(into, `${DATA}.part`);
  await copyFile(join(range.base, DATA), part);
  applyRecords(part, [range.record, ...records]);
  markRestored(part, databases);
  await copyBeside(into, range, records);
  await rename(part, join(into, DATA));
  syncFolder(into);
  const at = records.at(-1)?.header.at ?? range.from;
  return {
    restored_to: to === undefined ? iso(range.to) : iso(secondOf(to)),
    last_change_copied_by: iso(at),
    base: range.base,
    records: records.length,
    next: NEXT,
  };
}

const NEXT = 'Start the process on this folder, then open the series and chains: deploy/backup.md says how.';

function secondOf(to: string): number {
  const at = millisOf(to);
  if (Number.isNaN(at) || !/\dT\d.*(Z|[+-]\d\d:\d\d)$/.test(to))
    throw new Error(`--to ${to} is no time: use one such as 2026-11-29T10:00:05Z`);
  return Math.floor(at / 1_000) * 1_000;
}

async function onlySystem(folder: string): Promise<string> {
  if (!existsSync(folder)) throw new Error(`there is no folder ${folder}: --from names the one of the backups, BACKUP_FOLDER`);
  const systems = (await readdir(folder)).flatMap((name) => (name.endsWith('-changes') ? [name.slice(0, -'-changes'.length)] : []));
  if (systems.length === 0) throw new Error(`${folder} has no continuous copy`);
  if (systems.length > 1) throw new Error(`${folder} has copies of several systems. Choose one by --system: ${systems.join(', ')}`);
  return systems[0] ?? '';
}

function checkFolder(into: string, { record, records }: Range): void {
  if ([DATA, `${DATA}-wal`, SECRETS].some((name) => existsSync(join(into, name))))
    throw new Error(`${into} has a system already: move it away first, or choose another DATA_DIR`);
  const pages = Math.max(record.header.total, ...records.map(({ header }) => header.total));
  const [needed, free] = [pages * record.pageSize, freeBytesOf(into)];
  if (free < needed) throw new Error(`the restored database needs ${inMiB(needed)} MiB in ${into}; ${inMiB(free)} MiB are free`);
}

/** `records`: in their order, up to one that ends with a commit. */
function applyRecords(path: string, records: readonly Found[]): void {
  const file = openSync(path, 'r+');
  try {
    let total = 0;
    for (const { header, pageSize, pages } of records) {
      for (const [n, page] of pages()) writeSync(file, page, 0, pageSize, (n - 1) * pageSize);
      total = header.total || total;
    }
    ftruncateSync(file, total * (records[0]?.pageSize ?? 0));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function markRestored(path: string, databases: readonly string[]): void {
  const copy = new DatabaseSync(path);
  try {
    forgetBeginnings(copy, databases);
    copy.exec('PRAGMA journal_mode=DELETE');
  } finally {
    copy.close();
  }
}

/** The files of the base, or as the last record that changed them has them. */
async function copyBeside(into: string, { base }: Range, records: readonly Found[]): Promise<void> {
  for (const name of await readdir(base)) if (name !== DATA && name !== BASE) await copyFile(join(base, name), join(into, name));
  for (const { header } of records)
    for (const [name, content] of Object.entries(header.files ?? {})) {
      if (content === '') rmSync(join(into, name), { force: true });
      else await writeFile(join(into, name), Buffer.from(content, 'base64'), { mode: 0o600 });
    }
  if (existsSync(join(into, SECRETS))) rmSync(join(into, SECRETS_OMITTED), { force: true });
}
