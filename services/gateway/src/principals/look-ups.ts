import { type Clock, DomainError } from '@svc/kernel';
import { logFailure, type Logger } from '@svc/service';
import { LRUCache } from 'lru-cache';

const FRESH_MS = 5_000;
/** What was looked up is served for this long while the database is unavailable. */
const STALE_MS = 5 * 60_000;
const MOST_KNOWN = 20_000;

/** Values by key that the database has, at most 5 s old. One look-up of a key is in flight at a time. */
export interface LookUps<V> {
  /** Synchronous when cached. Rejects with service_unavailable when the database fails and the cached value is older than 5 minutes. */
  find(key: string): V | Promise<V>;
  /** The last value, however old. */
  known(key: string): V | undefined;
  /** The next `find` of any key looks it up, also where a look-up is in flight. */
  forget(): void;
}

export interface LookUpsOptions<V> {
  /** `now`: when it begins, in milliseconds since 1970; the result may be as old as this. */
  lookUp(key: string, now: number): Promise<V>;
  clock: Pick<Clock, 'now'>;
  logger: Logger;
  /** For the log: `keys cannot be looked up`. */
  failure: string;
  /** For the caller, who may repeat the request. */
  unavailable: string;
}

export function createLookUps<V>({ lookUp, clock, logger, failure, unavailable }: LookUpsOptions<V>): LookUps<V> {
  const known = new LRUCache<string, { value: V; lookedUpAt: number }>({ max: MOST_KNOWN });
  const underWay = new Map<string, Promise<V>>();
  let generation = 0;

  const lookUpNow = async (key: string): Promise<V> => {
    const [startedIn, lookedUpAt] = [generation, clock.now()];
    try {
      const value = await lookUp(key, lookedUpAt);
      if (startedIn === generation) known.set(key, { value, lookedUpAt });
      return value;
    } catch (error) {
      logFailure(logger, error, failure);
      const before = known.get(key);
      if (before && before.lookedUpAt + STALE_MS > clock.now()) return before.value;
      throw new DomainError('service_unavailable', unavailable, undefined, 1);
    } finally {
      if (startedIn === generation) underWay.delete(key);
    }
  };

  return {
    find(key) {
      const found = known.get(key);
      if (found !== undefined && found.lookedUpAt + FRESH_MS > clock.now()) return found.value;
      const looking = underWay.get(key) ?? lookUpNow(key);
      underWay.set(key, looking);
      return looking;
    },
    known: (key) => known.get(key)?.value,
    forget() {
      generation += 1;
      known.clear();
      underWay.clear();
    },
  };
}
