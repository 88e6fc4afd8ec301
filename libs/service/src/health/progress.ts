import type { Clock } from '@svc/kernel';

/** Returns true, or the reason why not. */
export type Check = () => true | string | Promise<true | string>;

/** Background work: events of a subscription, due documents. */
export interface Work {
  /** Whether something waits to be done. If it throws, the check passes. */
  waiting: () => boolean | Promise<boolean>;
  /** A value that changes with progress: a position, the time of the first due document. Called after `waiting`. */
  reached: () => unknown;
}

const STUCK_MS = 120_000;

/**
 * A liveness check, called at intervals. It fails when something has been waiting for two minutes without any progress. Time in which `excused`
 * returns true does not count.
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

export interface JobDocuments {
  find(
    filter: { due_at: { $gte: 0 } },
    query: { sort: { due_at: 1 }; limit: 1 },
  ): AsyncIterable<{ _id: string; version: number; due_at: number | null }>;
}

/** The progress of due documents: there is none while the first due document does not change. */
export function jobProgress(documents: JobDocuments, clock: Clock): Work {
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
