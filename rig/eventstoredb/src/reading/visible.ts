import type { EventLog } from '../log/event-log.ts';
import type { Entry, Stream } from '../log/event-index.ts';
import { isSoftDeleted } from '../log/append-decision.ts';

/** The readable revisions of a stream that its metadata does not hide: from `first` up to, excluding, `end`. */
export interface Visible {
  stream: Stream;
  first: number;
  end: number;
}

/** The visible part of a stream; undefined when it is missing or soft-deleted. */
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
