import type { Collection } from '@svc/document-store';
import { type Clock, DomainError, type Actor, type Env, iso } from '@svc/kernel';
import { logFailure, type Logger } from '@svc/service';
import { LRUCache } from 'lru-cache';
import { goodUntil, type KeyUse } from './api-key.ts';
import type { AccountsContext } from './context.ts';
import { envOfKeyValue } from './key-format.ts';
import { limitsOf } from './plans.ts';
import type { RateLimitCost } from '../limiter/port.ts';
import type { Limits } from './account.ts';

/** The account, permissions and limits of the API key of a request. */
export interface Caller {
  /** `key_…` */
  readonly key: string;
  readonly account: string;
  readonly env: Env;
  readonly permissions: readonly string[];
  readonly suspended: boolean;
  readonly limits: Limits;
  readonly actor: Actor;
  /** Limits are counted under this: environment and account. */
  readonly scope: string;
  /** Milliseconds since 1970; Infinity: the key does not expire. */
  readonly goodUntil: number;
  /** Hash of the value in the request: the key's current one, or the previous one within its grace period. */
  readonly credentialHash: string;
  /** Rate-limit cost by kind of route. Filled on first use. */
  readonly costs: Map<string, RateLimitCost>;
  /** The last minute since 1970 in which a use was recorded. */
  usedMinute: number;
}

const FRESH_MS = 5_000;
/** Cached callers are served for this long while the database is unavailable. */
const STALE_MS = 5 * 60_000;
const MOST_KNOWN = 20_000;
const MINUTE_MS = 60_000;
/** The last uses of keys are written in batches. */
const WRITE_AFTER_MS = 1_000;

interface Known {
  /** null: there is no such key. */
  caller: Caller | null;
  lookedUpAt: number;
}

/** Finds the caller of a key's value, whether an account is suspended, and records when keys were last used. Results are cached for 5 s, also for unknown values. */
export interface Recognizer {
  /** Synchronous when cached. null: the value is not valid. Rejects with service_unavailable when the database fails and the cache is too old. */
  recognize(value: string): Caller | null | Promise<Caller | null>;
  /** Whether an account is suspended, at most 5 s ago. Rejects as `recognize`. */
  isSuspended(account: string): boolean | Promise<boolean>;
  forget(): void;
  /** Records the minute of a use. Does nothing after the first use of a key in a minute. */
  noteUse(caller: Pick<Caller, 'key' | 'usedMinute'>): void;
  /** Writes the recorded uses. */
  writeUses(): Promise<void>;
}

export function createRecognizer(
  context: Pick<AccountsContext, 'store' | 'peppers'>,
  { clock, logger }: { clock: Clock; logger: Logger },
): Recognizer {
  const known = new LRUCache<string, Known>({ max: MOST_KNOWN });
  const underWay = new Map<string, Promise<Caller | null>>();
  const suspensions = new LRUCache<string, { suspended: boolean; lookedUpAt: number }>({ max: MOST_KNOWN });
  let generation = 0;

  const lookUpNow = async (value: string): Promise<Caller | null> => {
    const startedIn = generation;
    const lookedUpAt = clock.now(); // before the look-up, whose result may be as old as this
    try {
      const caller = await lookUp(context, value, lookedUpAt);
      if (caller) caller.usedMinute = known.get(value)?.caller?.usedMinute ?? -1;
      if (startedIn === generation) known.set(value, { caller, lookedUpAt });
      return caller;
    } catch (error) {
      logFailure(logger, error, 'keys cannot be looked up');
      const before = known.get(value);
      if (before && before.lookedUpAt + STALE_MS > clock.now()) return before.caller;
      throw new DomainError('service_unavailable', 'Your key cannot be checked at the moment. Nothing was done; try again.', undefined, 1);
    } finally {
      underWay.delete(value);
    }
  };

  const lookUpOnce = (value: string): Promise<Caller | null> => {
    const lookUp = underWay.get(value) ?? lookUpNow(value);
    underWay.set(value, lookUp);
    return lookUp;
  };

  const suspensionNow = async (account: string): Promise<boolean> => {
    const [startedIn, lookedUpAt] = [generation, clock.now()];
    try {
      const suspended = (await context.store.accounts.get(account))?.suspended ?? false;
      if (startedIn === generation) suspensions.set(account, { suspended, lookedUpAt });
      return suspended;
    } catch (error) {
      logFailure(logger, error, 'accounts cannot be looked up');
      const before = suspensions.get(account);
      if (before && before.lookedUpAt + STALE_MS > clock.now()) return before.suspended;
      throw new DomainError('service_unavailable', 'This link cannot be checked at the moment. Open it again.', undefined, 1);
    }
  };

  const ifGood = (caller: Caller | null): Caller | null => (caller !== null && caller.goodUntil > clock.now() ? caller : null);

  return {
    recognize(value) {
      const found = known.get(value);
      if (found !== undefined && found.lookedUpAt + FRESH_MS > clock.now()) return ifGood(found.caller);
      if (envOfKeyValue(value) === undefined) return null;
      return lookUpOnce(value).then(ifGood);
    },
    isSuspended(account) {
      const found = suspensions.get(account);
      return found !== undefined && found.lookedUpAt + FRESH_MS > clock.now() ? found.suspended : suspensionNow(account);
    },
    forget() {
      generation += 1;
      known.clear();
      suspensions.clear();
      underWay.clear();
    },
    ...recordUses(context.store.uses, clock, logger),
  };
}

function recordUses(uses: Collection<KeyUse>, clock: Clock, logger: Logger): Pick<Recognizer, 'noteUse' | 'writeUses'> {
  const noted = new Map<string, number>();
  let cancel: (() => void) | undefined;
  const writeUses = async (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    const puts = [...noted].map(([_id, version]) => ({ put: { _id, version, at: iso(version * MINUTE_MS) } }));
    noted.clear();
    // A failed write loses these minutes. The next use writes again.
    if (puts.length > 0) await uses.write(puts).catch((error: unknown) => logger.warn({ err: error }, 'last use of keys not written'));
  };
  return {
    noteUse(caller) {
      const minute = Math.floor(clock.now() / MINUTE_MS);
      if (caller.usedMinute === minute) return;
      caller.usedMinute = minute;
      noted.set(caller.key, minute);
      cancel ??= clock.after(WRITE_AFTER_MS, () => void writeUses());
    },
    writeUses,
  };
}

async function lookUp({ store, peppers }: Pick<AccountsContext, 'store' | 'peppers'>, value: string, now: number): Promise<Caller | null> {
  const hashes = peppers.hashes(value);
  for (const field of ['current', 'previous'] as const) {
    for await (const key of store.keys.find({ [field]: { $in: hashes } }, { limit: 1 })) {
      const credentialHash = key[field] ?? '';
      const until = goodUntil(key, credentialHash, now);
      const account = until === undefined ? undefined : await store.accounts.get(key.account);
      if (until === undefined || account === undefined) return null;
      return {
        ...{ key: key._id, account: key.account, env: key.env, permissions: key.permissions, scope: `${key.env}.${key.account}` },
        ...{ suspended: account.suspended, limits: limitsOf(account.plan, account.limits), goodUntil: until, credentialHash },
        ...{ actor: { type: 'api_key', id: key._id }, usedMinute: -1, costs: new Map() },
      };
    }
  }
  return null;
}
