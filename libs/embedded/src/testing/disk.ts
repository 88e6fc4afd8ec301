import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** What a disk writes wholly or not at all, in bytes. */
const SECTOR = 512;

/** One thing that a process did, as `recording.c` records it. `bytes`: of a write, at `one`; a cut is to `one` bytes. */
export interface Step {
  kind: 'create' | 'remove' | 'write' | 'cut' | 'begin' | 'end';
  one: number;
  other: number;
  path: string;
  bytes: Buffer;
}

/** The steps of a record, in their order. */
export function* stepsIn(record: Buffer): Generator<Step> {
  for (let at = 0; at < record.length;) {
    const end = record.indexOf(10, at);
    const [kind, one, other, ...path] = record.toString('utf8', at, end).split(' ');
    at = end + 1;
    const step = { kind: kind as Step['kind'], one: Number(one), other: Number(other), path: path.join(' ') };
    const length = kind === 'write' ? step.other : 0;
    yield { ...step, bytes: record.subarray(at, at + length) };
    at += length;
  }
}

/** What of the steps that are not synced is on the disk after a power cut: of `count` in a row, how many. */
export type Luck = (count: number) => number;

interface Change {
  at: number;
  step: Step;
}

/** A file, or a folder, of which nothing is stored but its entry. */
interface File {
  isFolder: boolean;
  /** Synced. */
  stored: Buffer;
  /** Not synced, in their order. */
  changes: Change[];
}

interface Entry {
  at: number;
  path: string;
  /** undefined: it was removed. */
  file: File | undefined;
}

/**
 * The files of a folder on a disk whose power may be cut. A sync of a file stores what was written to it before the sync began, one of a folder the entries that it had
 * then. What is not synced may be there or not: each sector as it was at any time since, the size likewise, and each entry. A sync that fails loses what
 * was not synced, and no later one stores it.
 */
export class Disk {
  private at = 0;
  /** As the processes see them. */
  private readonly seen = new Map<string, File>();
  private readonly stored = new Map<string, File>();
  private entries: Entry[] = [];
  /** Under way, by id: what they store. */
  private readonly syncs = new Map<number, { file: File | undefined; at: number }>();

  constructor(private readonly folder: string) {}

  apply(step: Step): void {
    const { kind, one, other, path } = step;
    this.at += 1;
    const file = this.seen.get(path);
    if (kind === 'create') this.enter(path, { isFolder: one === 1, stored: Buffer.alloc(0), changes: [] });
    else if (kind === 'remove') this.enter(path, undefined);
    else if (kind === 'begin') this.syncs.set(one, { file, at: this.at });
    else if (kind === 'end') this.end(one, path, other === 0);
    else file?.changes.push({ at: this.at, step });
  }

  private enter(path: string, file: File | undefined): void {
    this.entries.push({ at: this.at, path, file });
    if (file) this.seen.set(path, file);
    else this.seen.delete(path);
  }

  private end(id: number, path: string, isStored: boolean): void {
    const { file, at } = this.syncs.get(id) as { file: File | undefined; at: number };
    this.syncs.delete(id);
    const isBefore = (one: { at: number }): boolean => one.at < at;
    if (file && !file.isFolder) {
      if (isStored) file.stored = after(file.stored, file.changes.filter(isBefore), (count) => count);
      file.changes = file.changes.filter((change) => !isBefore(change));
      return;
    }
    const isHere = (entry: Entry): boolean => isBefore(entry) && dirname(entry.path) === path;
    if (isStored) for (const { path, file } of this.entries.filter(isHere)) set(this.stored, path, file);
    this.entries = this.entries.filter((entry) => !isHere(entry));
  }

  /** Writes what may be left of the folder to `target`, which is new. */
  writeTo(target: string, luck: Luck): void {
    const left = new Map(this.stored);
    for (const [path, entries] of Map.groupBy(this.entries, ({ path }) => path)) {
      const last = entries[luck(entries.length) - 1];
      if (last) set(left, path, last.file);
    }
    mkdirSync(target);
    const isThere = (path: string): boolean => path === this.folder || (left.has(path) && isThere(dirname(path)));
    for (const [path, { isFolder, stored, changes }] of [...left].sort(([one], [other]) => (one < other ? -1 : 1))) {
      if (!isThere(path)) continue;
      const copy = join(target, relative(this.folder, path));
      if (isFolder) mkdirSync(copy);
      else writeFileSync(copy, after(stored, changes, luck));
    }
  }
}

const set = <Value>(map: Map<string, Value>, key: string, value: Value | undefined): void =>
  void (value === undefined ? map.delete(key) : map.set(key, value));

/**
 * What a file holds after some of these changes: of each sector, and of the size, the first so many as `luck` says. A cut is there as a whole, with its size, or not at
 * all, since file systems store it in one transaction; without it nothing is there either that was written later behind where it cuts.
 */
function after(stored: Buffer, changes: readonly Change[], luck: Luck): Buffer {
  if (changes.length === 0) return stored;
  const sizes = [stored.length];
  const cuts: number[] = [];
  for (const [n, { step }] of changes.entries()) {
    const size = sizes.at(-1) as number;
    if (step.kind === 'cut' && step.one < size) cuts.push(n);
    sizes.push(step.kind === 'cut' ? step.one : Math.max(size, step.one + step.other));
  }
  const done = luck(cuts.length);
  const [lastCut, notCut] = [cuts[done - 1], cuts[done]];
  const cutsOff = (n: number | undefined, sector: number): boolean =>
    n !== undefined && (sector + 1) * SECTOR > (changes[n] as Change).step.one;

  const bySector = new Map<number, number[]>();
  for (const [n, { step }] of changes.entries()) {
    const [from, to] = step.kind === 'cut' ? [step.one, sizes[n] as number] : [step.one, step.one + step.other];
    for (let sector = Math.floor(from / SECTOR); sector * SECTOR < to; sector += 1) {
      const known = bySector.get(sector);
      if (known) known.push(n);
      else bySector.set(sector, [n]);
    }
  }
  const left = Buffer.alloc(Math.max(...sizes));
  stored.copy(left);
  for (const [sector, of] of bySector) {
    const [start, end] = [sector * SECTOR, (sector + 1) * SECTOR];
    const least = cutsOff(lastCut, sector) ? of.filter((n) => n <= (lastCut as number)).length : 0;
    const possible = cutsOff(notCut, sector) ? of.filter((n) => n < (notCut as number)) : of;
    for (const n of possible.slice(0, least + luck(possible.length - least))) {
      const { kind, one, other, bytes } = (changes[n] as Change).step;
      if (kind === 'cut') left.fill(0, Math.max(start, one), Math.max(one, Math.min(end, left.length)));
      else bytes.copy(left, Math.max(start, one), Math.max(start, one) - one, Math.min(end, one + other) - one);
    }
  }
  const possibleSizes = sizes.slice((lastCut ?? -1) + 1, (notCut ?? changes.length) + 1);
  return left.subarray(0, possibleSizes[luck(possibleSizes.length - 1)]);
}
