import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { recordsOf, type Found } from './record.ts';

/** A file begins anew beyond it, so that the oldest can go. */
const MOST_FILE_BYTES = 16 * 1_048_576;
const END = 'end.json';

/** Up to which second a chain has all changes, also where there were none. */
export interface End {
  chain: string;
  n: number;
  at: number;
}

/** Where the continuous copy of a system is, beside its backups. */
export const changesFolder = (backups: string, system: string): string => join(backups, `${system}-changes`);

const nameOf = (chain: string, n: number): string => `${chain}-${String(n).padStart(12, '0')}.pages`;
const parsed = (name: string): { chain: string; first: number } | undefined => {
  const [, chain, first] = /^([0-9a-z]+)-(\d{12})\.pages$/.exec(name) ?? [];
  return chain === undefined ? undefined : { chain, first: Number(first) };
};

/** [] where the folder is not there. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });

/** The files of a folder, by chain and first record. */
async function filesIn(folder: string): Promise<{ name: string; chain: string; first: number }[]> {
  return (await namesIn(folder)).sort().flatMap((name) => {
    const of = parsed(name);
    return of ? [{ name, ...of }] : [];
  });
}

/** All records of a chain, in order and without gaps from the first that is there. A record that was written again is named once. */
export async function recordsIn(folder: string, chain: string, after = 0): Promise<Found[]> {
  const files = (await filesIn(folder)).filter((file) => file.chain === chain);
  const found: Found[] = [];
  for (const [n, { name }] of files.entries()) {
    const next = files[n + 1]?.first;
    if (next !== undefined && next <= after + 1) continue;
    for (const record of await recordsOf(join(folder, name))) {
      const last = found.at(-1)?.header.n ?? after;
      if (record.header.n <= last) continue;
      if (record.header.n > last + 1) return found;
      found.push(record);
    }
  }
  return found;
}

/** undefined: there is none yet. */
export const endIn = (folder: string): Promise<End | undefined> =>
  readFile(join(folder, END), 'utf8').then(
    (text) => JSON.parse(text) as End,
    () => undefined,
  );

/** The last record of the chain that was written last; undefined where there is none. */
export async function lastIn(folder: string): Promise<Found | undefined> {
  const [files, end] = [await filesIn(folder), await endIn(folder)];
  const newest = files.find(({ chain }) => chain === end?.chain)?.chain ?? files.at(-1)?.chain;
  for (const { name } of files.filter(({ chain }) => chain === newest).reverse()) {
    const last = (await recordsOf(join(folder, name))).at(-1);
    if (last) return last;
  }
  return undefined;
}

/** Writes records to files, each synced before `append` resolves. */
export class CopyFiles {
  private file: { chain: string; handle: FileHandle; path: string; bytes: number } | undefined;

  constructor(readonly folder: string) {}

  /** Throws where the folder cannot be written, or where the file that was begun is no longer in it. The next record begins a new file then. */
  async append(chain: string, n: number, bytes: Buffer): Promise<void> {
    try {
      if (this.file?.chain !== chain) await this.finish();
      this.file ??= await this.begin(chain, n);
      const { handle, path } = this.file;
      if ((await stat(path)).ino !== (await handle.stat()).ino) throw new Error(`${path} was replaced`);
      await handle.appendFile(bytes);
      await handle.datasync();
      this.file.bytes += bytes.length;
      if (this.file.bytes > MOST_FILE_BYTES) await this.finish();
    } catch (error) {
      await this.finish().catch(() => undefined);
      throw error;
    }
  }

  private async begin(chain: string, n: number): Promise<NonNullable<typeof this.file>> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, nameOf(chain, n));
    await rm(path, { force: true }); // A record that was not written whole, and is written again.
    const handle = await open(path, 'ax', 0o600);
    await this.syncFolder();
    return { chain, handle, path, bytes: 0 };
  }

  /** Notes up to which second all changes are there. Throws where the folder cannot be written. */
  async noteEnd(end: End): Promise<void> {
    const path = join(this.folder, END);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, JSON.stringify(end), { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
  }

  /** The next record begins a new file. */
  async finish(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    await file?.handle.close();
  }

  /** Removes the files whose records no base needs: those of the chain up to `after`, and other chains that are in none of them. */
  async prune(bases: readonly { chain: string; after: number }[], current: string): Promise<void> {
    const names = (await namesIn(this.folder)).sort();
    for (const [n, name] of names.entries()) {
      const of = parsed(name);
      if (!of) continue;
      const next = parsed(names[n + 1] ?? '');
      const oldest = Math.min(...bases.filter(({ chain }) => chain === of.chain).map(({ after }) => after));
      const isNeeded = next?.chain === of.chain ? next.first > oldest + 1 : oldest < Infinity;
      // The first base of the current chain is still to come.
      if (!isNeeded && !(of.chain === current && oldest === Infinity)) await rm(join(this.folder, name));
    }
  }

  private async syncFolder(): Promise<void> {
    const handle = await open(this.folder, 'r');
    await handle.sync().finally(() => handle.close());
  }
}
