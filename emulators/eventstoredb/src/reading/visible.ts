import type { EventLog } from '../log/event-log.ts';
import type { Entry, Stream } from '../log/event-index.ts';
import { isSoftDeleted } from '../log/append-decision.ts';

/** The revisions of a stream that are on disk and that its metadata does not hide: `first` up to, not including, `end`. */
export interface Visible {
  stream: Stream;
  first: number;
  end: number;
}

/** What can be read of a stream; undefined for one that is not there or is soft-deleted. */
export function visible(log: EventLog, name: string): Visible | undefined {
  const stream = log.stream(name);
  if (stream === undefined || isSoftDeleted(stream)) return undefined;
  let end = stream.events.length;
  while (end > 0 && !log.isReadable(stream.events[end - 1])) end -= 1;
  const { truncateBefore, maxCount, maxAge } = stream.rules;
  let first = Math.max(0, truncateBefore, end - maxCount);
  if (maxAge !== Infinity) while (first < end && tooOld(stream.events[first], log.now() - maxAge)) first += 1;
  return { stream, first, end };
}

const tooOld = (entry: Entry | undefined, oldest: number): boolean => (entry?.created ?? 0) < oldest;

export const isTombstoned = (log: EventLog, name: string): boolean => log.isReadable(log.stream(name)?.tombstone);
