/** What was counted of a partition: the offset after its last event, and how many events the group has not committed. */
export interface CountedPartition {
  high: number;
  waiting: number;
}

interface Marks {
  until: number;
  /** Ends that were seen at a time, and are not known to be read yet. */
  mark?: { at: number; highs: ReadonlyMap<string, number> };
}

/** Until when each group has read everything, from what is counted from time to time; also where more is always waiting. */
export class ReadMarks {
  private readonly groups = new Map<string, Marks>();

  /** `at`: before it was counted. */
  counted(group: string, at: number, partitions: ReadonlyMap<string, CountedPartition>): void {
    const { until, mark } = this.groups.get(group) ?? { until: -Infinity };
    const hasRead = (highs: ReadonlyMap<string, number>): boolean =>
      [...partitions].every(([place, { high, waiting }]) => high - waiting >= Math.min(high, highs.get(place) ?? 0));
    const highs = new Map([...partitions].map(([place, { high }]) => [place, high]));
    if (hasRead(highs)) this.groups.set(group, { until: at });
    else if (!mark) this.groups.set(group, { until, mark: { at, highs } });
    else if (hasRead(mark.highs)) this.groups.set(group, { until: Math.max(until, mark.at), mark: { at, highs } });
  }

  /** -Infinity where it is not known. */
  until(group: string): number {
    return this.groups.get(group)?.until ?? -Infinity;
  }
}
