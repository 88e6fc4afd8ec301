import { NOTHING_READ, type Mark, type ReadUntil } from '../publishing/mark.ts';

/** What was counted of a partition: the offset after its last event, and how many events the group has not committed. */
export interface CountedPartition {
  high: number;
  waiting: number;
}

/** What held before partitions were counted: the time, and the last mark that the group had read, if any. */
export interface Before {
  at: number;
  mark?: Mark | undefined;
}

interface Counted {
  read: ReadUntil;
  /** Ends that were seen, and are not known to be read yet. */
  next?: { before: Before; highs: ReadonlyMap<string, number> };
}

/** How far each group has read everything, from what is counted from time to time; also where more is always waiting. */
export class ReadMarks {
  private readonly groups = new Map<string, Counted>();

  /** All that was published by then is in what is counted after it: what a mark says was published before the mark. */
  counted(group: string, before: Before, partitions: ReadonlyMap<string, CountedPartition>): void {
    const { read: known, next } = this.groups.get(group) ?? { read: NOTHING_READ };
    const hasRead = (highs: ReadonlyMap<string, number>): boolean =>
      [...partitions].every(([place, { high, waiting }]) => high - waiting >= Math.min(high, highs.get(place) ?? 0));
    const highs = new Map([...partitions].map(([place, { high }]) => [place, high]));
    const read = { ...known, empty: [...highs.values()].every((high) => high === 0) };
    if (hasRead(highs)) this.groups.set(group, { read: later(read, before) });
    else if (!next) this.groups.set(group, { read, next: { before, highs } });
    else if (hasRead(next.highs)) this.groups.set(group, { read: later(read, next.before), next: { before, highs } });
  }

  of(group: string): ReadUntil {
    return this.groups.get(group)?.read ?? NOTHING_READ;
  }
}

const later = (read: ReadUntil, { at, mark }: Before): ReadUntil => ({
  ...read,
  published: Math.max(read.published, at),
  ...(mark && mark.until >= read.stored && { stored: mark.until, putAside: mark.put_aside }),
});
