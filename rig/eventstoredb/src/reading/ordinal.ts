import type { Failure } from '../calls/failure.ts';
import type { EventLog } from '../log/event-log.ts';

interface Position {
  getCommitPosition(): string;
  getPreparePosition(): string;
}

/**
 * The ordinal of the first event at or after a position in $all; past the end is the end. A checkpoint of a page without a match has
 * prepare 0: it is before the event at its commit position. Throws `odd` for a position where no event begins.
 */
export function ordinalOf(log: EventLog, position: Position, odd: Failure): { ordinal: number; isEvent: boolean } {
  const commit = Number(position.getCommitPosition());
  if (commit === 0) return { ordinal: 0, isEvent: false };
  const ordinal = Math.min(log.ordinalAt(commit), log.end());
  const entry = log.entry(ordinal);
  if (entry === undefined) return { ordinal, isEvent: false };
  if (entry.position !== commit) throw odd;
  return { ordinal, isEvent: Number(position.getPreparePosition()) !== 0 };
}
