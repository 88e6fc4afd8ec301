import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { Engine, type EngineOptions } from './engine.ts';
import { lockFolder } from './folder-lock.ts';
import { formatOf } from './format.ts';
import { keepFile } from './keep-file.ts';
import { freeBytesOf, inMiB } from './disk-space.ts';
import { rewriteWal } from './rewrite-wal.ts';
import { syncEntries } from './sync-entries.ts';

// until 0.3: data folders of 0.1.0 have format 1

/** Rows of one turn: as much as is copied without giving way, and lost when the process ends. */
const [MOST_ROWS, MOST_BYTES] = [1_000, 4 * 1_048_576];
const LOGGED_MS = 5_000;
/** Where the old file stays, for the way back. */
export const FIRST_FORMAT_COPY = 'data-0.1.0.sqlite';

type Row = Record<string, SQLOutputValue>;

/** How the rows of one table get into a database of the current format. */
export interface Copying {
  /** The key of the newest row that was copied; undefined: none. */
  newest(): number | undefined;
  /** Copies rows in the order of `key`, all or none. */
  copy(rows: readonly Row[]): Promise<void>;
}

export interface FirstFormat {
  table: string;
  columns: readonly string[];
  /** The column by which rows are in order, an integer. */
  key: string;
}

export interface RewriteOptions extends Pick<EngineOptions, 'phrases' | 'durable'> {
  logger: { info(fields: object, message: string): void };
  /** Of the port that the table belongs to. */
  copyingOf(engine: Engine, table: FirstFormat): Copying;
  now(): number;
  /** Awaited after each turn. */
  pause(): Promise<void>;
  /** Makes the old file, which stays as the copy to go back to, one that 0.1.0 takes for restored: numbers may have been assigned since. */
  markCopy(old: DatabaseSync): void;
  /** Of the disk that has the folder. */
  freeBytes?(folder: string): number;
}

/**
 * Rewrites the database of a data folder of format 1 to the current one: into a folder beside it, from which it takes the place of the old file once it is
 * whole. The old file stays as `data-0.1.0.sqlite` until the operator removes it. A process that ends before goes on at its next start. Does nothing in
 * other folders. Throws where the disk has less free than the old file takes.
 */
export async function rewriteFirstFormat(folder: string, options: RewriteOptions): Promise<void> {
  const [path, part] = [join(folder, 'data.sqlite'), join(folder, 'rewriting')];
  if (!existsSync(path)) return;
  const unlock = lockFolder(folder);
  try {
    rewriteWal(`${path}-wal`);
    const old = new DatabaseSync(path);
    try {
      if (formatOf(old) === 1) await rewrite(old, { path, part }, options);
    } finally {
      if (old.isOpen) old.close();
    }
    rmSync(part, { recursive: true, force: true });
  } finally {
    unlock();
  }
}

async function rewrite(old: DatabaseSync, { path, part }: Record<'path' | 'part', string>, options: RewriteOptions): Promise<void> {
  const { logger, copyingOf, now, pause, markCopy, freeBytes = freeBytesOf, ...engineOptions } = options;
  checkSpace(dirname(path), freeBytes(dirname(path)));
  const tables = tablesOf(old);
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  const engine = Engine.open(part, engineOptions);
  let [copied, logged] = [0, now()];
  logger.info({ rows: total }, 'the data folder of release 0.1.0 is rewritten; the start waits for it');
  try {
    for (const table of tables) {
      const copying = copyingOf(engine, table);
      for (const rows of turnsOf(old, table, copying.newest())) {
        await copying.copy(rows);
        copied += rows.length;
        if (now() - logged >= LOGGED_MS) {
          logged = now();
          logger.info({ rows: `${copied} of ${total}` }, 'the data folder of release 0.1.0 is rewritten');
        }
        await pause();
      }
    }
  } catch (error) {
    engine.abandon();
    throw error;
  }
  engine.close();
  markCopy(old);
  old.close();
  // Closed, neither has a WAL: that of the old one would be taken for one of the new.
  if ([part, dirname(path)].some((folder) => existsSync(join(folder, 'data.sqlite-wal'))))
    throw new Error(`another process reads ${path}: end it, and start again`);
  const copy = keepFile(path, FIRST_FORMAT_COPY);
  renameSync(join(part, 'data.sqlite'), path);
  syncEntries(path);
  logger.info(
    { rows: total, copy },
    'the data folder is rewritten; the file of 0.1.0 stays as the copy to go back to, until you remove it',
  );
}

/** Bytes that must be free before a folder of format 1 is rewritten, less what an earlier start has written. */
export function bytesToRewrite(folder: string): number {
  const begun = join(folder, 'rewriting', 'data.sqlite');
  return statSync(join(folder, 'data.sqlite')).size - (existsSync(begun) ? statSync(begun).size : 0);
}

function checkSpace(folder: string, free: number): void {
  const needed = bytesToRewrite(folder);
  if (free < needed)
    throw new Error(
      `the data folder of release 0.1.0 is rewritten by this release, for which ${inMiB(needed)} MiB must be free; there are ${inMiB(free)} MiB`,
    );
}

function tablesOf(old: DatabaseSync): (FirstFormat & { rows: number })[] {
  const tables = old.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY rowid").all();
  return tables.map(({ name }) => {
    const table = name as string;
    const columns = old.prepare('SELECT name, pk FROM pragma_table_info(?)').all(table) as { name: string; pk: number }[];
    const rows = old.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.['n'] as number;
    return { table, columns: columns.map((column) => column.name), key: columns.find(({ pk }) => pk === 1)?.name ?? 'rowid', rows };
  });
}

function* turnsOf(old: DatabaseSync, { table, key }: FirstFormat, newest: number | undefined): Generator<Row[]> {
  let [rows, bytes]: [Row[], number] = [[], 0];
  const after = newest ?? Number.MIN_SAFE_INTEGER;
  for (const row of old.prepare(`SELECT * FROM "${table}" WHERE "${key}" > ? ORDER BY "${key}"`).iterate(after)) {
    rows.push(row);
    for (const value of Object.values(row)) if (typeof value === 'string') bytes += value.length;
    if (rows.length < MOST_ROWS && bytes < MOST_BYTES) continue;
    yield rows;
    [rows, bytes] = [[], 0];
  }
  if (rows.length > 0) yield rows;
}
