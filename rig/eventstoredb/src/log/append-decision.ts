import { TOMBSTONE } from './event-bytes.ts';
import type { Entry, Stream } from './event-index.ts';

/** The special values of an expected revision. */
export const EXPECT = { none: -1, any: -2, exists: -4 } as const;

/** The last revision of a stream without events. */
export const NO_EVENTS = -1;

export type AppendDecision =
  | { kind: 'write'; last: number; undelete: boolean }
  | { kind: 'repeat'; last: Entry }
  | { kind: 'wrong'; last: number }
  | { kind: 'deleted' };

/** Whether the stream is soft-deleted: its `$tb` is 2^63 - 1. */
export const isSoftDeleted = (stream: Stream | undefined): boolean => stream?.rules.truncateBefore === TOMBSTONE;

/**
 * Decides an append. With an exact revision or NO_STREAM the ids are compared with the events stored at those revisions, so a repetition is
 * always recognized; with ANY and STREAM_EXISTS they are compared with the cached ids.
 */
export function decideAppend(
  stream: Stream | undefined,
  expected: number,
  ids: string[],
  cached: (id: string) => Entry | undefined,
): AppendDecision {
  if (stream?.tombstone !== undefined) return { kind: 'deleted' };
  const last = (stream?.events.length ?? 0) - 1;
  const write: AppendDecision = { kind: 'write', last, undelete: isSoftDeleted(stream) && ids.length > 0 };
  if (expected === EXPECT.exists) {
    if (last === NO_EVENTS) return { kind: 'wrong', last };
    if (isSoftDeleted(stream)) return { kind: 'deleted' };
  }
  if (expected === EXPECT.any || expected === EXPECT.exists) return decideByCachedIds(stream, ids, cached, write);
  if (expected === last) return write;
  if (expected > last || stream === undefined) return { kind: 'wrong', last };
  const stored = ids.map((id, n) => (stream.events[expected + 1 + n]?.id === id ? stream.events[expected + 1 + n] : undefined));
  const repeated = stored.at(-1);
  if (repeated !== undefined && stored.every((entry) => entry !== undefined)) return { kind: 'repeat', last: repeated };
  return expected === EXPECT.none && stored[0] === undefined && isSoftDeleted(stream) ? write : { kind: 'wrong', last };
}

/** The first id decides: when it is unknown all are new, when it is known all must be. */
function decideByCachedIds(
  stream: Stream | undefined,
  ids: string[],
  cached: (id: string) => Entry | undefined,
  write: AppendDecision & { kind: 'write' },
): AppendDecision {
  const known = ids.map(cached).map((entry) => (entry?.stream === stream ? entry : undefined));
  const repeated = known.at(-1);
  if (known[0] === undefined) return write;
  return repeated !== undefined && known.every((entry) => entry !== undefined)
    ? { kind: 'repeat', last: repeated }
    : { kind: 'wrong', last: write.last };
}

/** Decides the append of an event with a new id, which cannot be a repetition. */
export function decideNewEvent(stream: Stream | undefined, expected: number): Exclude<AppendDecision, { kind: 'repeat' }> {
  const decision = decideAppend(stream, expected, [], () => undefined);
  return decision.kind === 'repeat' ? { kind: 'wrong', last: decision.last.revision } : decision;
}
