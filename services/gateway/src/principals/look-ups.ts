import { type Clock, DomainError, isFresh, recentlyUsed } from '@svc/kernel';
import { logFailure, type Logger } from '@svc/service';

const FRESH_MS = 5_000;
/** What was looked up is served for this long while the database is unavailable. */
const STALE_MS = 5 * 60_000;
const MOST_KNOWN = 20_000;

/** Values by key that the database has, at most 5 s old, and newer than what this process has changed of them. One look-up of a key is in flight at a time. */
export interface LookUps<V> {
  /** Synchronous when cached. Rejects with service_unavailable when the database fails and the cached value is older than 5 minutes. */
  find(key: string): V | Promise<V>;
  /** The last value, however old. */
  known(key: string): V | undefined;
}

export interface LookUpsOptions<V> {
  /** `now`: when it begins, in milliseconds since 1970; the result may be as old as this. */
  lookUp(key: string, now: number): Promise<V>;
  /** Of the documents that a value was read from: a change of one makes it old. */
  idsOf(key: string, value: V): readonly string[];
  changes: Changes;
  clock: Pick<Clock, 'now'>;
  logger: Logger;
  /** For the log: `keys cannot be looked up`. */
  failure: string;
  /** For the caller, who may repeat the request. */
  unavailable: string;
}

interface Known<V> {
  value: V;
  lookedUpAt: number;
  /** The count of changes when its look-up began. */
  since: number;
}

export function createLookUps<V>({ lookUp, idsOf, changes, clock, logger, failure, unavailable }: LookUpsOptions<V>): LookUps<V> {
  const known = recentlyUsed<Known<V>>(MOST_KNOWN);
  const underWay = new Map<string, { promise: Promise<V>; since: number }>();
  const isChanged = (key: string, value: V, since: number): boolean => changes.isSince(idsOf(key, value), since);

  const lookUpNow = async (key: string, since: number): Promise<V> => {
    const lookedUpAt = clock.now();
    try {
      const value = await lookUp(key, lookedUpAt);
      known.set(key, { value, lookedUpAt, since });
      return value;
    } catch (error) {
      logFailure(logger, error, failure);
      const before = known.get(key);
      if (before && isFresh(before.lookedUpAt, clock.now(), STALE_MS) && !isChanged(key, before.value, before.since)) return before.value;
      throw new DomainError('service_unavailable', unavailable, undefined, 1);
    } finally {
      underWay.delete(key);
    }
  };

  const find = (key: string): V | Promise<V> => {
    const found = known.get(key);
    if (found && isFresh(found.lookedUpAt, clock.now(), FRESH_MS) && !isChanged(key, found.value, found.since)) return found.value;
    const looking = underWay.get(key);
    // It may have begun before the change that the caller has made.
    if (looking) return looking.promise.then((value) => (isChanged(key, value, looking.since) ? find(key) : value));
    const since = changes.count();
    const promise = lookUpNow(key, since);
    underWay.set(key, { promise, since });
    return promise;
  };

  return { find, known: (key) => known.get(key)?.value };
}

const MOST_NOTED = 20_000;

/** What this process has changed, by id, in the order of a count. */
export interface Changes {
  /** Of the changes so far. */
  count(): number;
  note(ids: readonly string[]): void;
  /** Whether one of these was changed after so many changes. True also where that is not known any more. */
  isSince(ids: readonly string[], count: number): boolean;
}

export function createChanges(): Changes {
  let count = 0;
  /** That of the newest change that is not noted any more. */
  let dropped = 0;
  const noted = recentlyUsed<number>(MOST_NOTED, (at) => (dropped = Math.max(dropped, at)));
  return {
    count: () => count,
    note(ids) {
      count += 1;
      for (const id of ids) noted.set(id, count);
    },
    isSince: (ids, since) => dropped > since || ids.some((id) => (noted.get(id) ?? 0) > since),
  };
}
