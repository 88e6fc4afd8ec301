import type { Clock } from '@svc/kernel';

/** True, or why not. */
export type Check = () => true | string | Promise<true | string>;

/** Something that a process works off by itself: events that a follower reads, documents that fall due. */
export interface Work {
  /** Something waits to be done. Where nobody can tell (it throws), the work is not blamed. */
  waiting: () => boolean | Promise<boolean>;
  /** Changes whenever something of it was done: a position, the time of what is due first. RequestInfo after `waiting`. */
  reached: () => unknown;
}

const STUCK_MS = 120_000;

/**
 * A check of liveness that is asked now and then: fails when something has been waiting for two minutes and nothing at all was done.
 * Time in which `excused` says that nothing could be done does not count.
 */
export function progressCheck(clock: Clock, { waiting, reached }: Work, excused: () => Promise<boolean>): Check {
  let seen: { reached: unknown; since: number } | undefined;
  return async () => {
    const waits = await (async () => waiting())().catch(() => false);
    const at = reached();
    if (!waits) seen = undefined;
    else if (seen?.reached !== at) seen = { reached: at, since: clock.now() };
    const stuck = seen ? clock.now() - seen.since : 0;
    if (stuck > 0 && (await excused())) seen = undefined;
    else if (stuck >= STUCK_MS) return `has not moved for ${Math.floor(stuck / 1000)} s`;
    return true;
  };
}

/** Documents with a time at which there is something to do about them. */
export interface DueDocuments {
  find(
    filter: { due_at: { $gte: 0 } },
    query: { sort: { due_at: 1 }; limit: 1 },
  ): AsyncIterable<{ _id: string; version: number; due_at: number | null }>;
}

/** The work that due documents are: it stands still when the one due first stays as it is. */
export function dueProgress(documents: DueDocuments, clock: Clock): Work {
  let first = '';
  return {
    async waiting() {
      for await (const { _id, version, due_at } of documents.find({ due_at: { $gte: 0 } }, { sort: { due_at: 1 }, limit: 1 })) {
        first = `${_id} ${version}`;
        return due_at !== null && due_at <= clock.now();
      }
      return false;
    },
    reached: () => first,
  };
}
