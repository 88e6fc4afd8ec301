import { join } from 'node:path';
import { iso } from '@svc/kernel';
import { backupsIn, baseIn } from './base.ts';
import { changesFolder, endIn, recordsIn } from './copy-files.ts';
import type { Found } from './record.ts';

/** What a base can be restored to. */
export interface Range {
  /** The folder of the backup. */
  base: string;
  record: Found;
  /** Those behind it. */
  records: readonly Found[];
  /** Its first and last second, in milliseconds since 1970. */
  from: number;
  to: number;
}

/** The ranges of seconds to which a system can be restored, by their beginning; behind the others those of the chain that was written last, which a clock that was set back may let begin earlier. Throws where the folder cannot be read. */
export async function rangesOf(folder: string, system: string): Promise<Range[]> {
  const changes = changesFolder(folder, system);
  const ranges: Range[] = [];
  const newest = (await endIn(changes))?.chain;
  const isNewest = ({ record }: Range): number => Number(record.header.chain === newest);
  for (const name of await backupsIn(folder, system)) {
    const record = await baseIn(join(folder, name));
    if (record) ranges.push(await rangeOf(join(folder, name), record, changes));
  }
  return ranges.filter(({ from, to }) => from <= to).sort((a, b) => isNewest(a) - isNewest(b) || a.from - b.from);
}

async function rangeOf(base: string, record: Found, changes: string): Promise<Range> {
  const { chain, n, at: from = Infinity } = record.header;
  const [records, end] = [await recordsIn(changes, chain, n), await endIn(changes)];
  const last = records.at(-1)?.header.n ?? n;
  const known = end?.chain === chain && end.n <= last ? end.at : -Infinity;
  return { base, record, records, from, to: Math.max(known, ...records.map(({ header }) => header.at ?? -Infinity)) };
}

/** The last range that has a second, and the last record of it. Throws with the ranges that there are. */
export function pointAt(ranges: readonly Range[], at: number): { range: Range; records: readonly Found[] } {
  const range = ranges.findLast(({ from, to }) => from <= at && at <= to);
  if (!range) throw new Error(`${iso(at)} is not copied. ${rangesText(ranges)}`);
  const last = range.records.findLast(({ header }) => header.at !== undefined && header.at <= at)?.header.n ?? 0;
  const next = range.records.find(({ header }) => header.n > last && header.at !== undefined)?.header;
  if (next?.since !== undefined && at > next.since)
    throw new Error(`a process was killed then: choose ${iso(next.since)} or ${iso(next.at ?? 0)}`);
  return { range, records: range.records.filter(({ header }) => header.n <= last) };
}

/** `A restore is possible to each second from … to …` */
function rangesText(ranges: readonly Range[]): string {
  if (ranges.length === 0) return 'No continuous copy is there that a restore could use.';
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return `A restore is possible to each second ${merged.map(({ from, to }) => `from ${iso(from)} to ${iso(to)}`).join(', and ')}.`;
}
